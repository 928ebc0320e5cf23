package io.berth.schema.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Types;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class OpenApiTest {

  private static final Types TYPES = Types.kubernetes();
  private static final List<String> ALL =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  private static final Endpoint PODS =
      new Endpoint(
          Resource.PODS,
          ALL,
          List.of(
              new Endpoint.Subresource("eviction", "policy/v1", "Eviction", List.of("create")),
              new Endpoint.Subresource("exec", "v1", "PodExecOptions", List.of("create", "get"))),
          null);
  private static final Endpoint NODES = new Endpoint(Resource.NODES, ALL, List.of(), null);
  private static final Endpoint WIDGETS =
      new Endpoint(
          new Resource("example.com", "v1", "widgets", "Widget", true),
          ALL,
          List.of(
              new Endpoint.Subresource("status", "example.com/v1", "Widget", List.of("patch")),
              new Endpoint.Subresource("scale", "autoscaling/v1", "Scale", List.of("patch"))),
          Json.read("{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\"}}}"));

  @Test
  void theIndexNamesEveryGroupVersionWithItsTag() {
    var api = serving(Map.of("v1", List.of(PODS), "example.com/v1", List.of(WIDGETS)));
    var index = Json.read(api.index().bytes());

    for (var path : List.of("api/v1", "apis/example.com/v1")) {
      var tag = api.find(path).orElseThrow().tag();
      assertThat(index.text("paths", path, "serverRelativeURL"))
          .isEqualTo("/openapi/v3/%s?hash=%s", path, tag);
    }
    assertThat(api.find("apis/v1")).isEmpty();
    assertThat(api.find("apis/apps/v1")).isEmpty();
  }

  @Test
  void patchOperationsTellWhatTheServerUnderstands() {
    var document = document("api/v1", PODS);
    var patch =
        document.treeOrEmpty("paths", "/api/v1/namespaces/{namespace}/pods/{name}", "patch");

    assertThat(patch.isEmpty()).isFalse();
    assertThat(patch.trees("parameters").stream().map(each -> each.text("name")))
        .containsExactly("dryRun", "fieldManager", "fieldValidation", "force");
    assertThat(patch.get("x-kubernetes-group-version-kind"))
        .isEqualTo(Tree.of("group", "", "version", "v1", "kind", "Pod"));
    assertThat(patch.treeOrEmpty("requestBody", "content").names())
        .contains("application/apply-patch+yaml", "application/strategic-merge-patch+json");
  }

  /// As kube-apiserver 1.37 names them.
  @Test
  void operationsHaveTheNamesThatClientsAreGeneratedFrom() {
    var pods = document("api/v1", PODS).treeOrEmpty("paths");
    var one = "/api/v1/namespaces/{namespace}/pods/{name}";
    var all = "/api/v1/namespaces/{namespace}/pods";

    assertThat(id(pods, "/api/v1/pods", "get")).isEqualTo("listCoreV1PodForAllNamespaces");
    assertThat(id(pods, all, "get")).isEqualTo("listCoreV1NamespacedPod");
    assertThat(id(pods, all, "post")).isEqualTo("createCoreV1NamespacedPod");
    assertThat(id(pods, all, "delete")).isEqualTo("deleteCoreV1CollectionNamespacedPod");
    assertThat(id(pods, one, "get")).isEqualTo("readCoreV1NamespacedPod");
    assertThat(id(pods, one, "put")).isEqualTo("replaceCoreV1NamespacedPod");
    assertThat(id(pods, one + "/eviction", "post")).isEqualTo("createCoreV1NamespacedPodEviction");
    assertThat(id(pods, one + "/exec", "get")).isEqualTo("connectCoreV1GetNamespacedPodExec");
    assertThat(pods.list(one, "get", "tags")).containsExactly("core_v1");
    var nodes = document("api/v1", NODES).treeOrEmpty("paths");
    assertThat(id(nodes, "/api/v1/nodes/{name}", "patch")).isEqualTo("patchCoreV1Node");
  }

  @Test
  void bodiesAnswersAndStructsAreDescribedAsInKubernetes() {
    var document = document("api/v1", PODS);
    var create = document.treeOrEmpty("paths", "/api/v1/namespaces/{namespace}/pods", "post");

    assertThat(create.treeOrEmpty("requestBody", "content").names()).containsExactly("*/*");
    assertThat(create.treeOrEmpty("responses").names()).contains("200", "201", "202", "401");
    var pod = document.treeOrEmpty("components", "schemas", "io.k8s.api.core.v1.Pod", "properties");
    assertThat(pod.tree("metadata", "default")).isEqualTo(new Tree());
    assertThat(pod.tree("status", "default")).isEqualTo(new Tree());
  }

  private static String id(Tree paths, String path, String method) {
    return paths.textOrEmpty(path, method, "operationId");
  }

  @Test
  void clusterScopedResourcesHaveNoNamespace() {
    var paths = document("api/v1", NODES).treeOrEmpty("paths").names();

    assertThat(paths).containsExactlyInAnyOrder("/api/v1/nodes", "/api/v1/nodes/{name}");
  }

  @Test
  void subresourcesCarryTheirOwnKinds() {
    var document = document("api/v1", PODS);
    var pod = "/api/v1/namespaces/{namespace}/pods/{name}";

    assertThat(document.at("paths", pod + "/eviction", "post", "x-kubernetes-group-version-kind"))
        .isEqualTo(Tree.of("group", "policy", "version", "v1", "kind", "Eviction"));
    assertThat(document.treeOrEmpty("paths", pod + "/exec", "post")).isNotNull();
  }

  @Test
  void everyReferenceLeadsSomewhere() {
    var document = document("api/v1", PODS);
    var schemas = document.treeOrEmpty("components", "schemas");

    assertThat(references(Json.text(document), "#/components/schemas/"))
        .isNotEmpty()
        .allMatch(schemas::has);
  }

  @Test
  void listsCarryTheirMergeKeys() {
    var containers =
        document("api/v1", PODS)
            .treeOrEmpty(
                "components", "schemas", "io.k8s.api.core.v1.PodSpec", "properties", "containers");

    assertThat(containers.isEmpty()).isFalse();
    assertThat(containers.text("x-kubernetes-patch-merge-key")).isEqualTo("name");
    assertThat(containers.text("x-kubernetes-patch-strategy")).isEqualTo("merge");
    assertThat(containers.text("x-kubernetes-list-type")).isEqualTo("map");
    assertThat(containers.list("x-kubernetes-list-map-keys")).isEqualTo(List.of("name"));
  }

  @Test
  void customResourcesBringTheirOwnSchema() {
    var document = document("apis/example.com/v1", WIDGETS);
    var schema = document.treeOrEmpty("components", "schemas", "com.example.v1.Widget");

    assertThat(schema.isEmpty()).isFalse();
    assertThat(schema.treeOrEmpty("properties").names())
        .containsExactlyInAnyOrder("apiVersion", "kind", "metadata", "spec");
  }

  /// kubectl looks through all patches of a kind, in any order, for one it can use.
  @Test
  void customResourcesTakeNoStrategicPatchThroughAnyDoor() {
    var document = document("apis/example.com/v1", WIDGETS);
    var widget = "/apis/example.com/v1/namespaces/{namespace}/widgets/{name}";

    for (var path : List.of(widget, widget + "/status", widget + "/scale")) {
      var patch = document.treeOrEmpty("paths", path, "patch");
      assertThat(patch.treeOrEmpty("requestBody", "content").names())
          .containsExactly(
              "application/apply-patch+yaml",
              "application/json-patch+json",
              "application/merge-patch+json");
    }
    assertThat(
            document
                .treeOrEmpty("paths", widget + "/status", "patch", "responses", "200", "content")
                .text("application/json", "schema", "$ref"))
        .isEqualTo("#/components/schemas/com.example.v1.Widget");
  }

  @Test
  void aChangeOfWhatIsServedMakesNewDocuments() {
    var api = serving(Map.of("v1", List.of(PODS), "example.com/v1", List.of(WIDGETS)));
    var core = api.find("api/v1").orElseThrow();
    var before = api.index();

    api.serve(Map.of("v1", List.of(PODS)));

    assertThat(api.find("api/v1").orElseThrow()).isSameAs(core);
    assertThat(api.find("apis/example.com/v1")).isEmpty();
    assertThat(api.index().tag()).isNotEqualTo(before.tag());
  }

  @Test
  void versionTwoRefersToItsDefinitions() {
    var api = serving(Map.of("v1", List.of(PODS, NODES)));
    var text = new String(api.swaggerJson().bytes(), StandardCharsets.UTF_8);
    var swagger = Json.read(text);

    assertThat(swagger.text("swagger")).isEqualTo("2.0");
    assertThat(text).doesNotContain("#/components", "allOf");
    assertThat(references(text, "#/definitions/"))
        .isNotEmpty()
        .allMatch(swagger.treeOrEmpty("definitions")::has);
  }

  @Test
  void everyDescriptionIsOfSomethingInTheTable() {
    var names = TYPES.names();
    for (var subject : Descriptions.load().all().keySet()) {
      if (!subject.startsWith("TypeMeta.") && !names.contains(subject)) {
        int dot = subject.lastIndexOf('.');
        var type = TYPES.type(subject.substring(0, dot));
        assertThat(type.field(subject.substring(dot + 1))).as(subject).isNotNull();
      }
    }
  }

  private static List<String> references(String text, String prefix) {
    return Pattern.compile(Pattern.quote(prefix) + "([^\"]+)")
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .distinct()
        .toList();
  }

  private static Tree document(String path, Endpoint endpoint) {
    var api = serving(Map.of(endpoint.resource().apiVersion(), List.of(endpoint)));
    return Json.read(api.find(path).orElseThrow().bytes());
  }

  private static OpenApi serving(Map<String, List<Endpoint>> groupVersions) {
    var api = new OpenApi(TYPES, "v1.37.1");
    api.serve(groupVersions);
    return api;
  }
}
