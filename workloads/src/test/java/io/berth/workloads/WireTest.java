package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.workloads.types.Answers;
import io.berth.workloads.types.Types;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every call that Run:ai's Python client can make, against real objects: the status it expects,
/// and an answer that its models accept.
///
/// `wire.json` holds the calls and what the client's models require; what Berth does not serve must
/// answer 501, and is listed here.
class WireTest {

  private static final List<String> NOT_SERVED =
      List.of(
          "/api/v2/workloads",
          "/api/v2/policy/nim-services",
          "cluster-install-info",
          "/pvc/{assetId}/history");

  private static final Tree WIRE = wire();

  private final Map<String, String> ids = new HashMap<>();
  private final Api api;

  WireTest() throws InterruptedException {
    this.api = new Api();
  }

  @TestFactory
  Stream<DynamicTest> calls() {
    prepare();
    var calls = new ArrayList<>(WIRE.trees("methods"));
    calls.sort(Comparator.comparingInt(WireTest::order));
    return calls.stream()
        .map(call -> DynamicTest.dynamicTest(call.textOrEmpty("call"), () -> check(call)))
        .onClose(api::close);
  }

  /// Reading first, then changing, deleting last, and what others hang on at the very end.
  private static int order(Tree call) {
    return switch (call.textOrEmpty("method")) {
      case "GET" -> 0;
      case "POST" -> 1;
      case "PUT", "PATCH" -> 2;
      default ->
          switch (call.textOrEmpty("path")) {
            case "/api/v1/org-unit/projects/{projectId}" -> 4;
            case "/api/v1/org-unit/departments/{departmentId}", "/api/v1/node-pools/{nodepoolId}" ->
                5;
            default -> 3;
          };
    };
  }

  private void check(Tree call) {
    var path = call.textOrEmpty("path");
    var reply =
        path.endsWith("/token")
            ? api.send(call.textOrEmpty("method"), path, tokenBody(path), Map.of())
            : api.with(Map.of(), call.textOrEmpty("method"), target(call), body(call));
    if (NOT_SERVED.stream().anyMatch(path::contains)) {
      assertThat(reply.code()).isEqualTo(501);
      assertThat(reply.message()).endsWith("is not served by Berth.");
      return;
    }
    if (call.textOrEmpty("call").matches("create_cluster|delete_cluster")) {
      assertThat(reply.code()).isEqualTo(501);
      return;
    }
    var responses = call.treeOrEmpty("responses");
    assertThat(responses.names())
        .as(() -> reply.answer().text())
        .contains(Integer.toString(reply.code()));
    Answers.find(call.textOrEmpty("method"), path, reply.code())
        .ifPresent(type ->
            assertThat(Types.ANSWERS.problems(type, reply.value()))
                .as("what %s answers with", type)
                .isEmpty());
    var response = responses.tree(Integer.toString(reply.code()));
    if (response == null) {
      // Where the client expects no body any is allowed; Berth sends the usual acceptance.
      assertThat(reply.code()).isIn(200, 202, 204);
      return;
    }
    if (response.textOrEmpty("model").equals("octets") || path.endsWith("/file")) {
      return;
    }
    var values =
        response.flag("array")
            ? Tree.of("list", reply.value()).trees("list")
            : List.of((Tree) Objects.requireNonNull(reply.value()));
    values.forEach(value -> conform(response.textOrEmpty("model"), value));
  }

  private static void conform(String model, Tree value) {
    var rules = WIRE.treeOrEmpty("models", model);
    for (var field : rules.list("required")) {
      assertThat(value.get(String.valueOf(field))).as("%s of %s", field, model).isNotNull();
    }
    for (var field : rules.list("requiredNullable")) {
      assertThat(value.names()).as(model).contains(String.valueOf(field));
    }
    rules
        .treeOrEmpty("enums")
        .fields()
        .forEach((field, allowed) -> {
          var found = value.at(field.split("\\.", -1));
          var each =
              found instanceof List<?> several
                  ? several
                  : found == null ? List.of() : List.of(found);
          assertThat(new ArrayList<Object>((List<?>) allowed))
              .as("%s of %s", field, model)
              .containsAll(List.copyOf(each));
        });
    elements(model)
        .forEach((field, element) -> value.trees(field).forEach(each -> conform(element, each)));
  }

  /// Lists whose elements have a model of their own.
  private static Map<String, String> elements(String model) {
    return switch (model) {
      case "GetWorkloads200Response" -> Map.of("workloads", "Workload");
      case "ListPods200Response" -> Map.of("pods", "Pod1");
      case "GetNodepools200Response" -> Map.of("nodepools", "Nodepool");
      case "Nodes" -> Map.of("nodes", "Node");
      case "GetDepartments200Response" -> Map.of("departments", "Department");
      case "GetProjects200Response" -> Map.of("projects", "Project");
      case "GetAccessRules200Response" -> Map.of("accessRules", "AccessRule");
      default -> Map.of();
    };
  }

  // ---- what calls are about --------------------------------------------------------------------

  private void prepare() {
    api.node("node-a", Map.of("pool", "a"));
    ids.put("clusterUuid", api.clusterId());
    ids.put("nodepoolId", api.pool("pool-a", "pool", "a"));
    ids.put("nodepoolName", "pool-a");
    ids.put("nodeId", "node-a");
    ids.put(
        "departmentId",
        created(
            "/api/v1/org-unit/departments",
            Tree.of("name", "research", "clusterId", api.clusterId(), "resources", List.of())));
    ids.put("projectId", api.project("team", "default"));
    ids.put(
        "networkTopologyId",
        created(
            "/api/v1/network-topologies",
            Tree.of("name", "rack", "clusterId", api.clusterId(), "levels", List.of("rack"))));
    ids.put("serviceAccountId", created("/api/v1/service-accounts", Tree.of("name", "robot")));
    ids.put("accessKeyId", created("/api/v1/access-keys", Tree.of("name", "key")));
    ids.put(
        "accessRuleId",
        Long.toString(
            api.post("/api/v1/authorization/access-rules", rule("someone"))
                .body()
                .number(0, "id")));
    ids.put("roleIdPath", "5");
    ids.put(
        "categoryId",
        api.get("/api/v1/workload-categories")
            .body()
            .trees("categories")
            .getFirst()
            .textOrEmpty("id"));
    ids.put("workloadTypeId", created("/api/v1/workload-types", type("Ray")));
    for (var type :
        List.of("workspaces", "trainings", "distributed", "inferences", "distributed-inferences")) {
      ids.put(
          type,
          api.post("/api/v1/workloads/" + type, submission(type, "w-" + type))
              .body()
              .textOrEmpty("workloadId"));
    }
    ids.put("workloadId", ids.getOrDefault("workspaces", ""));
    var pods = "/api/v1/workloads/%s/pods".formatted(ids.get("inferences"));
    api.await(() -> !api.get(pods).body().trees("pods").isEmpty());
    ids.put(
        "revisionId",
        api.get("/api/v1/workloads/inferences/%s/revisions".formatted(ids.get("inferences")))
            .body()
            .trees("revisions")
            .getFirst()
            .textOrEmpty("id"));
    ids.put("podId", api.get(pods).body().trees("pods").getFirst().textOrEmpty("id"));
    for (var asset : ASSETS) {
      ids.put(
          asset,
          api.post("/api/v1/asset/" + asset, asset("first")).body().textOrEmpty("meta", "id"));
    }
    for (var type : List.of("workspaces", "trainings", "distributed", "inferences")) {
      ids.put(
          "template/" + type,
          api.post("/api/v1/workload-templates/" + type, template("first-" + type))
              .body()
              .textOrEmpty("meta", "id"));
    }
  }

  private static final List<String> ASSETS =
      List.of(
          "compute",
          "environment",
          "credentials/access-key",
          "credentials/docker-registry",
          "credentials/generic-secret",
          "credentials/ngc-api-key",
          "credentials/password",
          "datasource/host-path",
          "datasource/pvc");

  private String created(String path, Tree body) {
    return api.post(path, body).body().textOrEmpty("id");
  }

  private static Tree rule(String subject) {
    return Tree.of(
        "subjectId", subject,
        "subjectType", "user",
        "roleId", 5,
        "scopeType", "tenant",
        "scopeId", "1001");
  }

  private static Tree type(String name) {
    return Tree.of("categoryId", "c", "priorityId", "p", "name", name, "group", "ray.io");
  }

  private static Tree asset(String name) {
    return Tree.of("meta", Tree.of("name", name, "scope", "tenant"), "spec", new Tree());
  }

  private static Tree template(String name) {
    return Tree.of(
        "meta", Tree.of("name", name, "scopeType", "tenant"), "spec", Tree.of("image", "x"));
  }

  private Tree submission(String type, String name) {
    var spec =
        type.equals("distributed-inferences")
            ? Tree.of("leader", Tree.of("image", "python"), "worker", Tree.of("image", "python"))
            : Tree.of("image", "python");
    return Tree.of(
        "name",
        name,
        "projectId",
        ids.get("projectId"),
        "clusterId",
        api.clusterId(),
        "spec",
        spec);
  }

  private String target(Tree call) {
    var path = call.textOrEmpty("path");
    var parts = new ArrayList<String>();
    for (var segment : path.split("/", -1)) {
      parts.add(
          segment.startsWith("{") ? id(path, segment.substring(1, segment.length() - 1)) : segment);
    }
    return String.join("/", parts) + "?" + query(call);
  }

  private String id(String path, String name) {
    if (name.equals("workloadId")) {
      for (var type :
          List.of(
              "workspaces", "trainings", "distributed-inferences", "distributed", "inferences")) {
        if (path.contains("/workloads/" + type + "/")) {
          return Objects.requireNonNull(ids.get(type));
        }
      }
      return Objects.requireNonNull(ids.get(path.contains("/pods/") ? "inferences" : "workloadId"));
    }
    if (name.equals("assetId")) {
      return ASSETS.stream()
          .filter(asset -> path.startsWith("/api/v1/asset/" + asset + "/"))
          .map(ids::get)
          .findFirst()
          .orElseThrow();
    }
    if (name.equals("templateId")) {
      return Stream.of("workspaces", "trainings", "distributed", "inferences")
          .filter(type -> path.contains("/" + type + "/"))
          .map(type -> ids.get("template/" + type))
          .findFirst()
          .orElseGet(() -> ids.getOrDefault("template/workspaces", ""));
    }
    if (path.startsWith("/api/v1/administration/")) {
      return created("/api/v1/access-keys", Tree.of("name", "another-key"));
    }
    return ids.getOrDefault(name, "71f69d83-ba66-4822-adf5-55ce55efd210");
  }

  /// As the client sends it; times in the two other forms it has.
  private static String query(Tree call) {
    var path = call.textOrEmpty("path");
    if (path.endsWith("/metrics")) {
      return asked(call, "metricType=")
          + "&start=2026-01-01T00:00:00%2B00:00&end=2026-01-02T00:00:00";
    }
    if (path.contains("/audit/log")) {
      return "start=2026-01-01T00:00:00Z&end=2099-01-01T00:00:00Z";
    }
    if (path.endsWith("/telemetry")) {
      return asked(call, "telemetryType=");
    }
    if (path.endsWith("/name-availability")) {
      return "templateName=free&scopeType=tenant";
    }
    return path.startsWith("/api/v2/policy/") ? "scope=tenant" : "";
  }

  private static String asked(Tree call, String parameter) {
    var request = call.textOrEmpty("minimalRequest");
    int from = request.indexOf(parameter);
    int to = request.indexOf('&', from);
    return request.substring(from, to < 0 ? request.length() : to);
  }

  private @Nullable Object body(Tree call) {
    var path = call.textOrEmpty("path");
    var method = call.textOrEmpty("method");
    if (method.equals("GET")
        || method.equals("DELETE")
        || path.matches(".*/(suspend|resume|secret)")) {
      return null;
    }
    if (path.startsWith("/api/v2/policy/")) {
      return Tree.of(
          "meta",
          Tree.of("scope", "tenant", "name", "p"),
          "policy",
          Tree.of("defaults", new Tree()));
    }
    if (path.startsWith("/api/v1/asset/")) {
      return method.equals("POST")
          ? asset("second")
          : path.contains("credentials")
              ? Tree.of("meta", Tree.of("description", "d"))
              : Tree.of("meta", Tree.of("name", "renamed"), "spec", new Tree());
    }
    if (path.startsWith("/api/v1/workload-templates/")) {
      return method.equals("POST")
          ? template("second-" + path.substring(path.lastIndexOf('/') + 1))
          : Tree.of("meta", Tree.of("name", "renamed"));
    }
    if (path.matches("/api/v1/workloads/[a-z-]+")
        && method.equals("POST")
        && !path.endsWith("batch")) {
      return submission(
          path.substring(path.lastIndexOf('/') + 1),
          "second-" + path.substring(path.lastIndexOf('/') + 1));
    }
    return switch (path) {
      case "/api/v1/authorization/access-rules" -> rule("another");
      case "/api/v1/workload-types" -> type("Spark");
      case "/api/v1/network-topologies" ->
          Tree.of("name", "zone", "clusterId", api.clusterId(), "levels", List.of("zone"));
      case "/api/v1/node-pools" ->
          Tree.of(
              "name", "pool-z", "labelKey", "z", "labelValue", "z", "clusterId", api.clusterId());
      case "/api/v1/org-unit/projects", "/api/v1/org-unit/departments" ->
          Tree.of("name", "second", "clusterId", api.clusterId(), "resources", List.of());
      case "/api/v1/workloads/batch" ->
          Tree.of("ids", List.of("71f69d83-ba66-4822-adf5-55ce55efd210"), "action", "delete");
      default -> call.get("minimalBody");
    };
  }

  private Object tokenBody(String path) {
    var admin = api.workloads.administrator(null);
    return path.contains("v2")
        ? "grant_type=client_credentials&client_id=%s&client_secret=%s"
            .formatted(admin.clientId(), admin.clientSecret())
        : Tree.of(
            "grantType", "app_token", "AppId", admin.clientId(), "AppSecret", admin.clientSecret());
  }

  private static Tree wire() {
    try (var in = WireTest.class.getResourceAsStream("wire.json")) {
      return Json.read(Objects.requireNonNull(in).readAllBytes());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
