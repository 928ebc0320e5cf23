package io.berth.cluster.kubernetes;

import io.berth.admission.AdmissionChain;
import io.berth.codec.Json;
import io.berth.server.ApiServer;
import io.berth.server.ServerSettings;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/// Berth's own API server on a free port: a peer that speaks HTTPS without being a process of its
/// own.
final class EmbeddedServer implements AutoCloseable {

  private final Authority authority = Authority.open(null);
  private final Store store =
      Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
  private final ApiServer server;
  private final int port;

  EmbeddedServer() throws Exception {
    server =
        new ApiServer(
            store, authority, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
    port = server.listen("127.0.0.1", 0, List.of("127.0.0.1"));
  }

  ApiServer server() {
    return server;
  }

  /// A kubeconfig of an administrator, as `berth up` writes it.
  Path kubeconfig(Path folder) throws Exception {
    var admin = authority.client("admin", List.of("system:masters"));
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        clusters:
        - name: here
          cluster: {server: "https://127.0.0.1:%d", certificate-authority-data: %s}
        users:
        - name: admin
          user: {client-certificate-data: %s, client-key-data: %s}
        contexts:
        - name: here
          context: {cluster: here, user: admin}
        current-context: here
        """
            .formatted(
                port,
                base64(authority.certificatePem()),
                base64(admin.certificatePem()),
                base64(admin.keyPem())));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    server.close();
    store.close();
  }
}
