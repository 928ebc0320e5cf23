package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.berth.kinds.Kinds;
import io.berth.server.http.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nobody reads or changes what their role does not allow, and nobody gives themselves more.
class SecurityTest {

  private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  private static final String BINDINGS =
      "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings";

  private final TestServer server = new TestServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void strangersAndPeopleWithoutRolesGetNowhere() {
    var reached = new ArrayList<String>();
    for (var request : everyRequest()) {
      for (var who : List.of(TestServer.NOBODY, "bob")) {
        var answer = server.ask(who, request.method(), request.path(), "{}");
        if (answer.code() != 403) {
          reached.add("%s %s as '%s': %d".formatted(request, who, who, answer.code()));
        }
      }
      assertThat(server.ask("wrong", request.method(), request.path(), "{}").code())
          .as(request.path())
          .isEqualTo(401);
    }

    assertThat(reached).isEmpty();
  }

  private record Request(String method, String path) {}

  /// Every verb on every kind, and the paths that belong to none.
  private static List<Request> everyRequest() {
    var requests = new ArrayList<Request>();
    for (var kind : new Kinds().all()) {
      var resource = kind.resource();
      var root = resource.group().isEmpty() ? "/api/" : "/apis/" + resource.group() + "/";
      var collection =
          root
              + resource.version()
              + (resource.namespaced() ? "/namespaces/default/" : "/")
              + resource.plural();
      for (var method : List.of("GET", "POST", "DELETE")) {
        requests.add(new Request(method, collection));
      }
      requests.add(new Request("GET", collection + "?watch=true"));
      for (var method : List.of("GET", "PUT", "PATCH", "DELETE")) {
        requests.add(new Request(method, collection + "/x"));
      }
      for (var door : kind.subresources().keySet()) {
        requests.add(new Request("PUT", collection + "/x/" + door));
      }
    }
    for (var path :
        List.of(
            "/api/v1/namespaces/default/pods/x/log",
            "/api/v1/namespaces/default/pods/x/exec",
            "/metrics",
            "/berth/v1/snapshot",
            "/nowhere")) {
      requests.add(new Request("GET", path));
    }
    for (var path :
        List.of(
            "/api/v1/namespaces/default/pods/x/binding",
            "/api/v1/namespaces/default/pods/x/eviction",
            "/api/v1/namespaces/default/serviceaccounts/x/token",
            "/apis/authentication.k8s.io/v1/tokenreviews",
            "/apis/authorization.k8s.io/v1/subjectaccessreviews")) {
      requests.add(new Request("POST", path));
    }
    return requests;
  }

  @Test
  void whoMayWriteRolesCannotGiveMoreThanTheyHave() {
    letAlice("rbac.authorization.k8s.io", "roles,rolebindings", "create,update,patch,get");

    var grab = role("grab", "['']", "['secrets']", "['get']");
    assertThat(server.post("alice", ROLES, grab).code()).isEqualTo(403);
    assertThat(server.post("alice", BINDINGS, binding("b", "ClusterRole", "cluster-admin")).code())
        .isEqualTo(403);
    var own = role("own", "['rbac.authorization.k8s.io']", "['roles']", "['get']");
    assertThat(server.post("alice", ROLES, own).code()).isEqualTo(201);
    assertThat(server.ask("alice", "PUT", ROLES + "/own", grab.replace("grab", "own")).code())
        .isEqualTo(403);
  }

  @Test
  void nobodyActsForOthersWithoutBeingAllowed() {
    assertThat(acting("alice", Map.of("impersonate-user", "root"))).isEqualTo(403);
    assertThat(
            acting(
                "alice",
                Map.of("impersonate-user", "alice", "impersonate-group", "system:masters")))
        .isEqualTo(403);
    assertThat(acting("admin", Map.of("impersonate-user", "bob"))).isEqualTo(403);
    assertThat(
            acting(
                "admin", Map.of("impersonate-user", "bob", "impersonate-group", "system:masters")))
        .isEqualTo(200);
  }

  private int acting(String token, Map<String, String> as) {
    var headers = new HashMap<String, List<String>>();
    headers.put("authorization", List.of("Bearer " + token));
    as.forEach((name, value) -> headers.put(name, List.of(value)));
    return server.ask(headers, "GET", "/api/v1/nodes", new byte[0]).code();
  }

  @Test
  void theAuditLogTellsOfSecretsButNotWhatTheyAre(@TempDir Path folder) throws Exception {
    var file = folder.resolve("audit.log");
    try (var audit = Audit.in(file);
        var audited = new TestServer(ServerSettings.plain().withAudit(audit))) {
      audited.post(
          "admin",
          "/api/v1/namespaces/default/secrets",
          "{'kind':'Secret','apiVersion':'v1','metadata':{'name':'s'},"
              + "'stringData':{'password':'hunter2'}}");
      audited.post(
          "admin",
          "/apis/authentication.k8s.io/v1/tokenreviews",
          "{'kind':'TokenReview','apiVersion':'authentication.k8s.io/v1',"
              + "'spec':{'token':'hunter2'}}");
      assertThat(
              TestServer.json(audited.get("admin", "/api/v1/namespaces/default/secrets/s"))
                  .text("data", "password"))
          .isEqualTo("aHVudGVyMg==");
    }

    assertThat(Files.readString(file))
        .contains("secrets")
        .doesNotContain("hunter2")
        .doesNotContain("aHVudGVyMg==")
        .doesNotContain("Bearer");
    assertThat(Files.getPosixFilePermissions(file)).hasToString("[OWNER_READ, OWNER_WRITE]");
  }

  @Test
  void aLogWithoutRoomKeepsNobodyFromAnAnswer(@TempDir Path folder) throws Exception {
    var full = Path.of("/dev/full");
    assumeThat(full).as("a device that is always full").exists();
    var file = Files.createSymbolicLink(folder.resolve("audit.log"), full);
    try (var audit = Audit.in(file);
        var audited = new TestServer(ServerSettings.plain().withAudit(audit))) {
      assertThat(audited.get("admin", "/api/v1/namespaces/default").code()).isEqualTo(200);
      assertThat(audited.get("bob", "/api/v1/namespaces/default").code()).isEqualTo(403);

      Files.delete(file);
      assertThat(audited.get("admin", "/api/v1/namespaces/kube-system").code()).isEqualTo(200);
    }
    assertThat(Files.readAllLines(file))
        .filteredOn(line -> !line.isEmpty())
        .singleElement()
        .asString()
        .contains("kube-system");
    assertThat(Files.getPosixFilePermissions(file)).hasToString("[OWNER_READ, OWNER_WRITE]");
  }

  @Test
  void administratorsMaySaveTheWholeCluster() {
    var answer = server.get("admin", "/berth/v1/snapshot");

    assertThat(answer).isInstanceOf(Answer.Stream.class);
    assertThat(answer.headers()).anyMatch(header -> header.getKey().equals("Berth-Objects"));
  }

  private void letAlice(String group, String resources, String verbs) {
    var body = role("r", list(group), list(resources), list(verbs));
    assertThat(server.post("admin", ROLES, body).code()).isEqualTo(201);
    assertThat(server.post("admin", BINDINGS, binding("alice", "Role", "r")).code()).isEqualTo(201);
  }

  private static String list(String words) {
    return "['" + words.replace(",", "','") + "']";
  }

  private static String role(String name, String groups, String resources, String verbs) {
    return "{'kind':'Role','apiVersion':'rbac.authorization.k8s.io/v1','metadata':{'name':'%s'},'rules':[{'apiGroups':%s,'resources':%s,'verbs':%s}]}"
        .formatted(name, groups, resources, verbs);
  }

  private static String binding(String name, String kind, String role) {
    return "{'kind':'RoleBinding','apiVersion':'rbac.authorization.k8s.io/v1','metadata':{'name':'%s'},'subjects':[{'kind':'User','name':'alice','apiGroup':'rbac.authorization.k8s.io'}],'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'%s','name':'%s'}}"
        .formatted(name, kind, role);
  }
}
