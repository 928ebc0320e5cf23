package io.berth.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.Audit;
import io.berth.server.ServerSettings;
import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import io.berth.server.registry.Served;
import io.berth.store.Entry;
import io.berth.store.Key;
import io.berth.store.Range;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was authorized is what is executed, and what the audit log tells.
///
/// Every method goes to every form of path of every kind and subresource, in turn from callers that
/// may do one thing each, but that on everything. Whoever is let in must have had that done and
/// nothing else: seen from outside, by the answer and by what changed in the store.
class ExecutedVerbsTest {

  private static final List<String> VERBS =
      List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "brew");
  private static final Set<String> ODD =
      Set.of("pods/", "pods/eviction", "serviceaccounts/token", "nodes/", "widgets/status");
  private static final List<String> QUERIES =
      List.of(
          "watch",
          "watch=0",
          "watch=false&watch=true",
          "watch=true&dryRun=All",
          "fieldSelector=metadata.name%3Dx",
          "watch=1&fieldSelector=metadata.name%3Dx",
          "limit=many&watch=1",
          "watch=1;watch=0");
  private static final List<Resource> NOT_STORED =
      List.of(
          new Resource("", "v1", "bindings", "Binding", true),
          new Resource("", "v1", "componentstatuses", "ComponentStatus", false),
          new Resource(
              "authorization.k8s.io", "v1", "subjectaccessreviews", "SubjectAccessReview", false),
          new Resource("authentication.k8s.io", "v1", "tokenreviews", "TokenReview", false));
  private static final Set<String> ACTIONS = Set.of("binding", "eviction", "token");
  private static final String NAMESPACE = "verbs";
  private static final String DEFINITION =
      """
      {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
       "metadata":{"name":"widgets.example.com"},
       "spec":{"group":"example.com","scope":"Namespaced",
        "names":{"plural":"widgets","singular":"widget","kind":"Widget"},
        "versions":[{"name":"v1","served":true,"storage":true,
         "subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas",
          "statusReplicasPath":".status.replicas"}},
         "schema":{"openAPIV3Schema":{"type":"object",
          "x-kubernetes-preserve-unknown-fields":true}}}]}}
      """;

  private final Samples samples = new Samples();
  private final Map<String, Set<String>> seen = new TreeMap<>();
  private final Set<String> wrong = new TreeSet<>();
  private final Set<Range> ranges = new LinkedHashSet<>();
  private int asked;

  @Test
  void nobodyHasMoreDoneThanWasAuthorized(@TempDir Path folder) throws Exception {
    var file = folder.resolve("audit.log");
    try (var audit = Audit.in(file);
        var server = new TestServer(ServerSettings.plain().withAudit(audit))) {
      prepare(server);
      var kinds = kinds(server);
      kinds.forEach(each -> ranges.add(each.range("")));
      for (var served : kinds) {
        for (var subresource : subresources(served)) {
          tryAll(server, served.resource(), served, subresource);
        }
      }
      for (var resource : NOT_STORED) {
        tryAll(server, resource, null, "");
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(asked).isGreaterThan(100_000);
    assertThat(seen.keySet()).containsExactlyInAnyOrderElementsOf(VERBS);
    for (var verb : List.of("get", "list", "watch", "delete")) {
      assertThat(seen.get(verb)).as("kinds of which somebody did " + verb).hasSizeGreaterThan(60);
    }
    for (var verb : List.of("create", "update", "patch")) {
      assertThat(seen.get(verb)).as("kinds of which somebody did " + verb).hasSizeGreaterThan(40);
    }
    assertThat(audited(file)).isEmpty();
  }

  /// Lines of the audit log that tell of another verb than the only one the caller may.
  private static List<String> audited(Path file) throws Exception {
    var lies = new ArrayList<String>();
    try (var lines = Files.lines(file)) {
      for (var line : (Iterable<String>) lines::iterator) {
        var event = Json.read(line);
        var caller = event.textOrEmpty("impersonatedUser", "username");
        if (!caller.isEmpty()
            && event.number(0, "responseStatus", "code") != 403
            && !event.textOrEmpty("verb").equals(caller)) {
          lies.add(line);
        }
      }
    }
    return lies;
  }

  private static void prepare(TestServer server) {
    create(server, "/api/v1/namespaces", Tree.of("metadata", Tree.of("name", NAMESPACE)));
    for (var verb : VERBS) {
      var rule =
          Tree.of("verbs", List.of(verb), "apiGroups", List.of("*"), "resources", List.of("*"));
      var metadata = Tree.of("name", "only-" + verb);
      var roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
      create(server, roles, Tree.of("metadata", metadata, "rules", List.of(rule)));
      var binding = Tree.of("metadata", metadata.copy());
      binding.put("subjects", List.of(Tree.of("kind", "User", "name", verb)));
      binding.put("roleRef", Tree.of("kind", "ClusterRole", "name", "only-" + verb));
      create(server, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding);
    }
    create(
        server, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Json.read(DEFINITION));
  }

  private static void create(TestServer server, String path, Tree body) {
    var answer = server.post("admin", path, Json.text(body));
    assertThat(answer.code()).as(TestServer.text(answer)).isEqualTo(201);
  }

  /// Definitions come last: the custom kind goes with its own.
  private static List<Served> kinds(TestServer server) {
    var kinds = server.server().registry().catalog().all();
    kinds.sort(
        Comparator.comparing(
                (Served each) -> each.resource().plural().equals("customresourcedefinitions"))
            .thenComparing(each -> Samples.root(each.resource()) + each.resource().plural()));
    return kinds;
  }

  private static Set<String> subresources(Served served) {
    var subresources = new LinkedHashSet<String>();
    subresources.add("");
    subresources.add("status");
    subresources.add("nonsense");
    subresources.addAll(served.kind().subresources().keySet());
    if (served.kind().strategy().scale() != null) {
      subresources.add("scale");
    }
    switch (served.resource().plural()) {
      case "pods" ->
          subresources.addAll(
              List.of("binding", "eviction", "log", "exec", "attach", "portforward", "proxy"));
      case "serviceaccounts" -> subresources.add("token");
      case "services", "nodes" -> subresources.add("proxy");
      default -> {}
    }
    return subresources;
  }

  private void tryAll(
      TestServer server, Resource resource, @Nullable Served served, String subresource) {
    var before = new HashMap<Key, Entry>();
    if (served != null) {
      seed(server, served);
      before.putAll(everything(server));
    }
    for (var path : paths(resource, subresource)) {
      for (var method : METHODS) {
        for (var type : types(method)) {
          tryVerbs(server, resource, subresource, method, path, type, before);
        }
      }
    }
  }

  private void seed(TestServer server, Served served) {
    var key = served.key(served.resource().namespaced() ? NAMESPACE : "", "x");
    var object = served.store(samples.of(served.resource(), NAMESPACE, "x"));
    served.kind().strategy().setDefaults(object);
    object.child("metadata").put("uid", "u").put("creationTimestamp", "2026-01-01T00:00:00Z");
    server.store().transact(transaction -> transaction.put(key, object));
  }

  /// The usual paths of every kind, and for some kinds those that nobody would think of.
  private static List<String> paths(Resource resource, String subresource) {
    var root = Samples.root(resource);
    var collection =
        (resource.namespaced() ? "namespaces/" + NAMESPACE + "/" : "") + resource.plural();
    var below = "/x" + (subresource.isEmpty() ? "" : "/" + subresource);
    var paths = new ArrayList<String>();
    for (var prefix : List.of("", "watch/")) {
      paths.add(root + prefix + collection + below);
      paths.add(root + prefix + resource.plural() + below);
      if (subresource.isEmpty()) {
        paths.add(root + prefix + collection);
        paths.add(root + prefix + resource.plural());
        paths.add(root + prefix + collection + "?watch=true");
      }
    }
    if (ODD.contains(resource.plural() + "/" + subresource)) {
      addOdd(root, collection, below, paths);
    }
    return paths.stream().distinct().toList();
  }

  private static void addOdd(String root, String collection, String below, List<String> paths) {
    for (var prefix : List.of("", "watch/", "proxy/", "watch/watch/", "/", "watch//")) {
      for (var path : List.of(collection, collection + below, collection + "/" + below)) {
        paths.add(root + prefix + path);
        paths.add(root + prefix + path.replace(NAMESPACE + "/", "/"));
        paths.add(root + prefix + path + "/");
        paths.add(root + prefix + path + "/more");
        paths.add("/" + root + prefix + path);
        for (var query : QUERIES) {
          paths.add(root + prefix + path + "?" + query);
        }
      }
    }
  }

  private static List<String> types(String method) {
    return method.equals("PATCH")
        ? List.of("application/merge-patch+json", "application/apply-patch+yaml")
        : List.of("application/json");
  }

  private void tryVerbs(
      TestServer server,
      Resource resource,
      String subresource,
      String method,
      String path,
      String type,
      Map<Key, Entry> before) {
    var admitted = new ArrayList<String>();
    for (var verb : VERBS) {
      var headers =
          Map.of(
              "authorization", List.of("Bearer admin"),
              "impersonate-user", List.of(verb),
              "content-type", List.of(type));
      long revision = server.revision();
      var answer =
          server.ask(headers, method, path, body(resource, subresource, method, path, type));
      asked++;
      var done = server.revision() == revision ? told(answer) : changed(before, everything(server));
      if (server.revision() != revision) {
        restore(server, before);
      }
      if (answer.code() == 403) {
        if (!done.isEmpty()) {
          wrong.add("%s %s as %s: refused, but %s".formatted(method, path, verb, done));
        }
        continue;
      }
      admitted.add(verb);
      if (!done.isEmpty() && !means(verb, subresource, done)) {
        wrong.add("%s %s as %s: %d, %s".formatted(method, path, verb, answer.code(), done));
      }
      if (!done.isEmpty()) {
        seen.computeIfAbsent(verb, _ -> new TreeSet<>()).add(resource.qualified());
      }
    }
    if (admitted.size() > 1) {
      wrong.add("%s %s is let in for %s".formatted(method, path, admitted));
    }
  }

  private byte[] body(
      Resource resource, String subresource, String method, String path, String type) {
    if (method.equals("PATCH") && type.startsWith("application/merge")) {
      return Json.write(Tree.of("metadata", Tree.of("annotations", Tree.of("touched", "yes"))));
    }
    var name = method.equals("POST") && !path.contains("/x") ? "y" : "x";
    var body =
        switch (subresource) {
          case "binding" -> binding(name);
          case "eviction" -> Tree.of("apiVersion", "policy/v1", "kind", "Eviction");
          case "token" -> Tree.of("apiVersion", "authentication.k8s.io/v1", "kind", "TokenRequest");
          case "scale" ->
              Tree.of("apiVersion", "autoscaling/v1", "kind", "Scale")
                  .put("spec", Tree.of("replicas", 7L));
          default -> resource.kind().equals("Binding") ? binding("x") : sample(resource, name);
        };
    if (ACTIONS.contains(subresource) || subresource.equals("scale")) {
      body.child("metadata").put("name", "x").put("namespace", NAMESPACE);
    }
    return method.equals("GET") || method.equals("DELETE") ? new byte[0] : Json.write(body);
  }

  private Tree sample(Resource resource, String name) {
    var sample = samples.of(resource, NAMESPACE, name);
    sample.child("metadata").put("annotations", Tree.of("touched", "yes"));
    return sample;
  }

  private static Tree binding(String name) {
    return Tree.of("apiVersion", "v1", "kind", "Binding")
        .put("metadata", Tree.of("name", name))
        .put("target", Tree.of("kind", "Node", "name", "n"));
  }

  private static Set<String> told(Answer answer) {
    if (answer instanceof Answer.Stream) {
      return Set.of("watch");
    }
    return switch (answer.code()) {
      case 200 ->
          TestServer.json(answer).textOrEmpty("kind").endsWith("List")
              ? Set.of("list")
              : Set.of("get");
      case 201 -> Set.of("create");
      default -> Set.of();
    };
  }

  private static Set<String> changed(Map<Key, Entry> before, Map<Key, Entry> after) {
    var changes = new TreeSet<String>();
    before.forEach((key, entry) -> {
      var now = after.get(key);
      if (now == null || isLeaving(now)) {
        changes.add("deleted");
      } else if (now.revision() != entry.revision()) {
        changes.add("changed");
      }
    });
    after.keySet().stream()
        .filter(key -> !before.containsKey(key))
        .forEach(_ -> changes.add("created"));
    return changes;
  }

  private static boolean isLeaving(Entry entry) {
    return entry.object().at("metadata", "deletionTimestamp") != null;
  }

  private static boolean means(String verb, String subresource, Set<String> done) {
    if (verb.equals("create") && ACTIONS.contains(subresource)) {
      return true;
    }
    var expected =
        switch (verb) {
          case "get", "list", "watch" -> Set.of(verb);
          case "create" -> Set.of("create", "created");
          // A change that changes nothing shows the object.
          case "update", "patch" -> Set.of("changed", "get");
          // So does the deletion of what stays for its finalizers' sake, and a collection its list.
          case "delete" -> Set.of("deleted", "changed", "get");
          default -> Set.of("deleted", "changed", "list");
        };
    return expected.containsAll(done);
  }

  private Map<Key, Entry> everything(TestServer server) {
    var everything = new HashMap<Key, Entry>();
    for (var range : ranges) {
      for (var entry : server.store().list(range).entries()) {
        everything.put(entry.key(), entry);
      }
    }
    return everything;
  }

  private void restore(TestServer server, Map<Key, Entry> before) {
    var after = everything(server);
    server
        .store()
        .transact(transaction -> {
          after.keySet().stream()
              .filter(key -> !before.containsKey(key))
              .forEach(transaction::delete);
          before.replaceAll((key, entry) -> {
            var now = after.get(key);
            return now != null && now.revision() == entry.revision()
                ? entry
                : transaction.put(key, entry.object().copy());
          });
          return true;
        });
  }
}
