package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.http.Answer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Random roles, and requests of every kind: who gets through is who a few lines of plain code say,
/// and who does not get through learns nothing about what exists.
///
/// `-Dtenancy.rounds=N` sets how many sets of roles, `-Dtenancy.seed=S` which.
class TenancyTest {

  private static final int ROUNDS = Integer.getInteger("tenancy.rounds", 6);
  private static final long SEED = Long.getLong("tenancy.seed", 3);
  private static final List<String> USERS = List.of("alice", "bob");
  private static final List<String> NAMESPACES = List.of("one", "two", "three");
  private static final List<String> NAMES = List.of("there", "missing");
  private static final List<String> VERBS =
      List.of(
          "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "*");

  private static final List<Target> TARGETS =
      List.of(
          new Target("", "configmaps", ""),
          new Target("", "secrets", ""),
          new Target("", "pods", ""),
          new Target("", "pods", "status"),
          new Target("", "pods", "log"),
          new Target("apps", "deployments", ""),
          new Target("apps", "deployments", "scale"));

  private final Random random = new Random(SEED);
  private int asked;

  private record Target(String group, String resource, String subresource) {

    String combined() {
      return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
  }

  private record Rule(
      List<String> groups, List<String> resources, List<String> verbs, List<String> names) {}

  /// `namespace` is empty for a binding in the whole cluster.
  private record Grant(String user, String namespace, List<Rule> rules) {}

  private record Request(String user, String verb, Target target, String namespace, String name) {}

  @Test
  void requestsGetThroughExactlyWhereRolesSaySo() {
    var wrong = new ArrayList<String>();
    for (int round = 0; round < ROUNDS; round++) {
      try (var server = new TestServer()) {
        var grants = grants();
        NAMESPACES.forEach(namespace -> fill(server, namespace));
        for (int i = 0; i < grants.size(); i++) {
          write(server, grants.get(i), "g" + i);
        }
        for (var request : requests()) {
          check(server, request, grants, wrong);
        }
      }
    }
    assertThat(asked).isGreaterThan(2000);
    assertThat(wrong).as("seed %d", SEED).isEmpty();
  }

  private List<Grant> grants() {
    var grants = new ArrayList<Grant>();
    for (var user : USERS) {
      for (var namespace : List.of("", "one", "two")) {
        if (random.nextInt(3) > 0) {
          grants.add(new Grant(user, namespace, List.of(rule(), rule())));
        }
      }
    }
    return grants;
  }

  private Rule rule() {
    var target = TARGETS.get(random.nextInt(TARGETS.size()));
    var resources =
        switch (random.nextInt(6)) {
          case 0 -> List.of("*");
          case 1 -> List.of("*/" + (target.subresource.isEmpty() ? "status" : target.subresource));
          default -> List.of(target.combined(), "configmaps");
        };
    var groups = random.nextInt(5) == 0 ? List.of("*") : List.of(target.group);
    var verbs = List.of(VERBS.get(random.nextInt(VERBS.size())), VERBS.get(random.nextInt(3)));
    return new Rule(
        groups, resources, verbs, random.nextInt(4) == 0 ? List.of("there") : List.of());
  }

  /// What RBAC means, in as few words as possible.
  private static boolean isAllowed(Request request, List<Grant> grants) {
    for (var grant : grants) {
      if (grant.user.equals(request.user)
          && (grant.namespace.isEmpty() || grant.namespace.equals(request.namespace))) {
        for (var rule : grant.rules) {
          if (covers(rule, request)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean covers(Rule rule, Request request) {
    var target = request.target;
    boolean named = !rule.names.isEmpty();
    return (rule.verbs.contains("*") || rule.verbs.contains(request.verb))
        && (rule.groups.contains("*") || rule.groups.contains(target.group))
        && (rule.resources.contains("*")
            || rule.resources.contains(target.combined())
            || (!target.subresource.isEmpty()
                && rule.resources.contains("*/" + target.subresource)))
        && (!named || rule.names.contains(request.name));
  }

  private static List<Request> requests() {
    var requests = new ArrayList<Request>();
    for (var user : USERS) {
      for (var namespace : NAMESPACES) {
        for (var target : TARGETS) {
          for (var name : NAMES) {
            for (var verb : List.of("get", "update", "patch")) {
              requests.add(new Request(user, verb, target, namespace, name));
            }
            if (target.subresource.isEmpty()) {
              requests.add(new Request(user, "delete", target, namespace, name));
            }
          }
          if (target.subresource.isEmpty()) {
            for (var verb : List.of("list", "watch", "create", "deletecollection")) {
              requests.add(new Request(user, verb, target, namespace, ""));
            }
          }
        }
      }
    }
    return requests;
  }

  private void check(TestServer server, Request request, List<Grant> grants, List<String> wrong) {
    asked++;
    var answer = send(server, request);
    boolean allowed = isAllowed(request, grants);
    if (allowed == (answer.code() == 403)) {
      wrong.add("%s: %d, with %s".formatted(request, answer.code(), grants));
    }
    if (!allowed && TestServer.text(answer).contains("not found")) {
      wrong.add("%s: learns what exists: %s".formatted(request, TestServer.text(answer)));
    }
  }

  private static Answer send(TestServer server, Request request) {
    var target = request.target;
    var root = target.group.isEmpty() ? "/api/v1" : "/apis/" + target.group + "/v1";
    var path =
        root
            + "/namespaces/"
            + request.namespace
            + "/"
            + target.resource
            + (request.name.isEmpty() ? "" : "/" + request.name)
            + (target.subresource.isEmpty() ? "" : "/" + target.subresource);
    var method =
        switch (request.verb) {
          case "create" -> "POST";
          case "update" -> "PUT";
          case "patch" -> "PATCH";
          case "delete", "deletecollection" -> "DELETE";
          default -> "GET";
        };
    var options = request.verb.equals("watch") ? "?watch=1" : "?dryRun=All";
    var headers = new HashMap<String, List<String>>();
    headers.put("authorization", List.of("Bearer " + request.user));
    headers.put("content-type", List.of("application/merge-patch+json"));
    return server.ask(
        headers,
        method,
        method.equals("GET") && !request.verb.equals("watch") ? path : path + options,
        "{}".getBytes(StandardCharsets.UTF_8));
  }

  private static void fill(TestServer server, String namespace) {
    post(server, "/api/v1/namespaces", Tree.of("metadata", Tree.of("name", namespace)));
    var core = "/api/v1/namespaces/" + namespace;
    var there = Tree.of("name", "there");
    post(server, core + "/configmaps", Tree.of("metadata", there));
    post(server, core + "/secrets", Tree.of("metadata", there));
    var pod = Tree.of("containers", List.of(Tree.of("name", "c", "image", "i")));
    post(server, core + "/pods", Tree.of("metadata", there, "spec", pod));
    var labels = Tree.of("app", "a");
    post(
        server,
        "/apis/apps/v1/namespaces/%s/deployments".formatted(namespace),
        Tree.of("metadata", there)
            .put(
                "spec",
                Tree.of("selector", Tree.of("matchLabels", labels))
                    .put("template", Tree.of("metadata", Tree.of("labels", labels), "spec", pod))));
  }

  private static void write(TestServer server, Grant grant, String name) {
    var rules = new ArrayList<Tree>();
    for (var rule : grant.rules) {
      var tree =
          Tree.of("apiGroups", rule.groups, "resources", rule.resources, "verbs", rule.verbs);
      rules.add(rule.names.isEmpty() ? tree : tree.put("resourceNames", rule.names));
    }
    var rbac = "/apis/rbac.authorization.k8s.io/v1";
    var meta = Tree.of("name", name);
    post(server, rbac + "/clusterroles", Tree.of("metadata", meta, "rules", rules));
    var subject = Tree.of("kind", "User", "name", grant.user);
    var role = Tree.of("kind", "ClusterRole", "name", name);
    var binding =
        Tree.of(
            "metadata",
            meta,
            "subjects",
            List.of(subject.put("apiGroup", "rbac.authorization.k8s.io")),
            "roleRef",
            role.put("apiGroup", "rbac.authorization.k8s.io"));
    post(
        server,
        grant.namespace.isEmpty()
            ? rbac + "/clusterrolebindings"
            : rbac + "/namespaces/" + grant.namespace + "/rolebindings",
        binding);
  }

  private static void post(TestServer server, String path, Tree object) {
    var answer = server.post("admin", path, Json.text(object));
    assertThat(answer.code()).as("%s %s", path, TestServer.text(answer)).isEqualTo(201);
  }
}
