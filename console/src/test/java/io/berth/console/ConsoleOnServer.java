package io.berth.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.admission.AdmissionChain;
import io.berth.answers.source.Survey;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.Selection;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.ClusterKind;
import io.berth.codec.Json;
import io.berth.console.answer.SurveyedAnswers;
import io.berth.console.session.Sessions;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Authority;
import io.berth.server.identity.StaticTokens;
import io.berth.server.request.Query;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import io.berth.testing.FakeClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A console on a server in memory, asked without HTTP by `admin` of `system:masters`, and by
/// `alice` and `bob`, who have no rights of their own.
final class ConsoleOnServer implements AutoCloseable {

  static final String ROOT = "/console/api/v1/";
  static final String HOST = "127.0.0.1:6443";

  private static final Authority AUTHORITY = Authority.open(null);

  final FakeClock clock = new FakeClock();
  private final Store store =
      Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
  private final ApiServer server =
      new ApiServer(
          store,
          AUTHORITY,
          AdmissionChain.of(List.of(), List.of()),
          ServerSettings.plain().withStaticTokens(tokens()));
  private final InProcessCluster cluster =
      new InProcessCluster(server.registry(), "admin", InstantSource.system());
  private final Console console;

  ConsoleOnServer() {
    this(Set.of());
  }

  ConsoleOnServer(Set<String> hosts) {
    var resources = ClusterKind.ALL.stream().map(ClusterKind::resource).toList();
    var answers =
        new SurveyedAnswers(
            cluster, resources, Survey.Settings.DEFAULT::withRevision, InstantSource.system());
    console =
        new Console(
            new ServerHostApi(server),
            new Sessions(clock),
            new ConsoleSettings("test", "a cluster", hosts, false),
            new Material(cluster, answers, _ -> List.of()));
    server.add(console);
  }

  private static StaticTokens tokens() {
    try {
      var file = Files.createTempFile("tokens", ".csv");
      Files.writeString(file, "admin,root,1,system:masters\nalice,alice,2\nbob,bob,3\n");
      var tokens = StaticTokens.read(file);
      Files.delete(file);
      return tokens;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  InProcessCluster cluster() {
    return cluster;
  }

  /// Asks the console with a token; `""` is nobody.
  Answer get(String token, String path) {
    return ask("GET", ROOT + path, "", token.isEmpty() ? Map.of() : bearer(token));
  }

  static Map<String, String> bearer(String token) {
    return Map.of("authorization", "Bearer " + token);
  }

  /// As the page itself writes.
  Answer write(String method, String path, String body, Map<String, String> headers) {
    var all = new HashMap<String, String>();
    all.put("x-berth-console", "1");
    all.put("origin", "https://" + HOST);
    all.putAll(headers);
    return ask(method, ROOT + path, body, all);
  }

  Answer ask(String method, String path, String body, Map<String, String> headers) {
    var all = new HashMap<String, List<String>>();
    all.put("host", List.of(HOST));
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    int question = path.indexOf('?');
    return server
        .endpoint()
        .answer(
            new Call(
                method,
                question < 0 ? path : path.substring(0, question),
                Query.parse(question < 0 ? "" : path.substring(question + 1)),
                all,
                List.of(),
                "127.0.0.1",
                () -> body.getBytes(StandardCharsets.UTF_8)));
  }

  /// Signs in, and gives the cookie that a browser would send from then on.
  Map<String, String> signIn(String token) {
    var answer = write("POST", "session", "", bearer(token));
    assertThat(answer.code()).as(text(answer)).isEqualTo(200);
    return Map.of("cookie", header(answer, "Set-Cookie").split(";", -1)[0]);
  }

  static String header(Answer answer, String name) {
    return answer.headers().stream()
        .filter(each -> each.getKey().equals(name))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  static String text(Answer answer) {
    return new String(((Answer.Whole) answer).body(), StandardCharsets.UTF_8);
  }

  static Tree json(Answer answer) {
    assertThat(answer.code()).as(text(answer)).isEqualTo(200);
    return Json.read(text(answer));
  }

  void namespace(String name) {
    cluster.create(
        Resource.NAMESPACES,
        Tree.of("apiVersion", "v1", "kind", "Namespace", "metadata", Tree.of("name", name)));
  }

  void node(String name, String zone) {
    var amounts = Tree.of("cpu", "4", "memory", "8Gi", "pods", "110");
    var labels = Tree.of("topology.kubernetes.io/zone", zone);
    cluster.create(
        Resource.NODES,
        Tree.of("apiVersion", "v1", "kind", "Node")
            .put("metadata", Tree.of("name", name, "labels", labels))
            .put("status", Tree.of("capacity", amounts, "allocatable", amounts.copy())));
  }

  /// `node` is `""` for a pod that waits.
  void pod(String namespace, String name, String node) {
    var container =
        Tree.of("name", "c", "image", "i")
            .put("resources", Tree.of("requests", Tree.of("cpu", "500m")));
    var spec = Tree.of("containers", List.of(container));
    if (!node.isEmpty()) {
      spec.put("nodeName", node);
    }
    cluster.create(
        Resource.PODS,
        Tree.of("apiVersion", "v1", "kind", "Pod")
            .put("metadata", Tree.of("namespace", namespace, "name", name))
            .put("spec", spec));
  }

  /// Lets a user do these with these resources, in a namespace or (`""`) everywhere.
  void grant(String user, String namespace, List<String> verbs, List<String> resources) {
    var name = "%s-%s-%d".formatted(user, namespace.isEmpty() ? "all" : namespace, ++grants);
    var rule = Tree.of("apiGroups", List.of("*"), "resources", resources, "verbs", verbs);
    cluster.create(
        rbac("clusterroles", "ClusterRole", false),
        object("ClusterRole", Tree.of("name", name)).put("rules", List.of(rule)));
    var kind = namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding";
    var meta = Tree.of("name", name);
    if (!namespace.isEmpty()) {
      meta.put("namespace", namespace);
    }
    var group = "rbac.authorization.k8s.io";
    cluster.create(
        rbac(
            namespace.isEmpty() ? "clusterrolebindings" : "rolebindings",
            kind,
            !namespace.isEmpty()),
        object(kind, meta)
            .put("subjects", List.of(Tree.of("kind", "User", "name", user, "apiGroup", group)))
            .put("roleRef", Tree.of("kind", "ClusterRole", "name", name, "apiGroup", group)));
  }

  /// Takes away what was granted in a namespace.
  void revoke(String namespace) {
    var bindings = rbac("rolebindings", "RoleBinding", true);
    for (var each : cluster.list(bindings, namespace, Selection.ALL).items()) {
      var name = each.textOrEmpty("metadata", "name");
      cluster.delete(bindings, namespace, name, DeleteOptions.DEFAULT);
    }
  }

  private int grants;

  private static Tree object(String kind, Tree meta) {
    return Tree.of("apiVersion", "rbac.authorization.k8s.io/v1", "kind", kind, "metadata", meta);
  }

  static Resource rbac(String plural, String kind, boolean namespaced) {
    return new Resource("rbac.authorization.k8s.io", "v1", plural, kind, namespaced);
  }

  @Override
  public void close() {
    console.close();
    server.close();
    store.close();
  }
}
