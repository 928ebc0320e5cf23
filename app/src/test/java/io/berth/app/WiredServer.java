package io.berth.app;

import io.berth.admission.AdmissionChain;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/// An API server without controllers and scheduler, on a port, for a scheduler that comes from
/// outside with the rights that `deploy/rbac.yaml` gives it.
final class WiredServer implements AutoCloseable {

  static final Path DEPLOY = Path.of("../deploy");

  private static final String LOOPBACK = "127.0.0.1";

  private final Authority authority = Authority.open(null);
  private final GatedStore store =
      new GatedStore(Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient))));
  // Writes of tests and the history that they read go on while the server is away.
  private final ApiServer inside = newServer();
  private final InProcessCluster admin =
      new InProcessCluster(inside.registry(), "admin", InstantSource.system());
  private ApiServer server = newServer();
  private final int port;

  WiredServer() throws Exception {
    port = server.listen(LOOPBACK, 0, List.of(LOOPBACK));
    for (var object : Yaml.readAll(Files.readString(DEPLOY.resolve("rbac.yaml")))) {
      admin.create(resource(object), object);
    }
  }

  private ApiServer newServer() {
    return new ApiServer(
        store, authority, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
  }

  /// Ends the server in the middle of its requests; another one takes its place `after` a while.
  void restart(Duration after) throws Exception {
    server.close();
    Thread.sleep(after);
    server = newServer();
    server.listen(LOOPBACK, port, List.of(LOOPBACK));
  }

  GatedStore store() {
    return store;
  }

  static Resource resource(Tree object) {
    return switch (object.textOrEmpty("kind")) {
      case "ServiceAccount" -> Resource.SERVICE_ACCOUNTS;
      case "ClusterRole" -> rbac("clusterroles", "ClusterRole");
      case "ClusterRoleBinding" -> rbac("clusterrolebindings", "ClusterRoleBinding");
      default -> throw new IllegalArgumentException(object.textOrEmpty("kind"));
    };
  }

  private static Resource rbac(String plural, String kind) {
    return new Resource("rbac.authorization.k8s.io", "v1", plural, kind, false);
  }

  InProcessCluster admin() {
    return admin;
  }

  int port() {
    return port;
  }

  /// A kubeconfig of the scheduler's service account, for the server at `at`. A certificate stands
  /// for its token: the user is the same.
  Path kubeconfig(Path folder, int at) throws Exception {
    var user =
        authority.client(
            "system:serviceaccount:kube-system:berth-scheduler",
            List.of("system:serviceaccounts", "system:authenticated"));
    return Files.writeString(
        folder.resolve("kubeconfig-" + at),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - {name: c, cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}}
        users:
        - {name: u, user: {client-certificate-data: %s, client-key-data: %s}}
        contexts:
        - {name: x, context: {cluster: c, user: u}}
        current-context: x
        """
            .formatted(
                at,
                base64(authority.certificatePem()),
                base64(user.certificatePem()),
                base64(user.keyPem())));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  void node(String name, String cpu) {
    node(name, cpu, Map.of());
  }

  void node(String name, String cpu, Map<String, String> labels) {
    var amounts = Tree.of("cpu", cpu, "memory", "32Gi", "pods", "110");
    var all = Tree.of("kubernetes.io/hostname", name);
    labels.forEach(all::put);
    admin.create(
        Resource.NODES,
        Tree.of("apiVersion", "v1", "kind", "Node")
            .put("metadata", Tree.of("name", name, "labels", all))
            .put("status", Tree.of("capacity", amounts, "allocatable", amounts.copy())));
    // Admission taints new nodes until a controller has seen them ready; there is none here.
    admin.patch(
        Resource.NODES,
        "",
        name,
        null,
        Cluster.PatchType.MERGE,
        Tree.of("spec", Tree.of("taints", null)));
  }

  void pod(String name, String cpu) {
    pod(name, cpu, Map.of(), new Tree());
  }

  /// `rules` are fields of the spec: affinity, selectors, constraints.
  void pod(String name, String cpu, Map<String, String> labels, Tree rules) {
    var container =
        Tree.of("name", "c", "image", "example/app:1")
            .put("resources", Tree.of("requests", Tree.of("cpu", cpu)));
    var spec = rules.copy().put("schedulerName", "berth").put("containers", List.of(container));
    var all = new Tree();
    labels.forEach(all::put);
    admin.create(
        Resource.PODS,
        Tree.of("apiVersion", "v1", "kind", "Pod")
            .put("metadata", Tree.of("namespace", "default", "name", name, "labels", all))
            .put("spec", spec));
  }

  @Override
  public void close() {
    server.close();
    inside.close();
    store.close();
  }
}
