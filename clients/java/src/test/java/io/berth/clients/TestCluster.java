package io.berth.clients;

import io.berth.admission.AdmissionChain;
import io.berth.cluster.embedded.InProcessCluster;
import io.berth.codec.Json;
import io.berth.server.ApiServer;
import io.berth.server.ContainerLogs;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import io.berth.testing.CuttingProxy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;

/// An API server in memory, on a port behind a proxy, whose history can be made to expire.
final class TestCluster implements AutoCloseable {

  static final String NAMESPACE = "default";

  private final Authority authority = Authority.open(null);
  private final Store store =
      Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
  private final ApiServer server =
      new ApiServer(
          store,
          authority,
          AdmissionChain.of(List.of(), List.of()),
          ServerSettings.plain().withLogs((_, _, _) -> LINES));
  private final InProcessCluster admin =
      new InProcessCluster(server.registry(), "writer", InstantSource.system());
  private final CuttingProxy proxy;

  private static final List<ContainerLogs.Line> LINES =
      List.of(
          new ContainerLogs.Line(Instant.EPOCH, "one"),
          new ContainerLogs.Line(Instant.EPOCH.plusSeconds(1), "two"));

  TestCluster() throws Exception {
    proxy = new CuttingProxy(server.listen("127.0.0.1", 0, List.of("127.0.0.1")));
  }

  /// The API without HTTP, for what is not under test.
  InProcessCluster admin() {
    return admin;
  }

  CuttingProxy proxy() {
    return proxy;
  }

  /// Forgets all history: whoever wants to go on from an earlier revision must start anew.
  void expireRevisions() {
    store.compact(store.revision());
  }

  /// An administrator's kubeconfig that leads through the proxy.
  String kubeconfig() {
    var user = authority.client("kubernetes-admin", List.of("system:masters"));
    return """
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
            proxy.port(),
            base64(authority.certificatePem()),
            base64(user.certificatePem()),
            base64(user.keyPem()));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    proxy.close();
    server.close();
    store.close();
  }
}
