package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Test;

/// What `berth scheduler` serves: health for everybody, metrics for whom the cluster lets.
class ProbesTest {

  @Test
  void healthIsForEverybodyAndMetricsAreNot() throws Exception {
    var ready = new AtomicBoolean();
    try (var server = new WiredServer();
        var probes =
            new Probes(
                ready::get,
                () -> "metrics",
                new Reviewer(server.admin(), InstantSource.system()),
                (_, _) -> Optional.empty());
        var client = HttpClient.newBuilder().sslContext(anybody()).build()) {
      int port = probes.serve("127.0.0.1", 0);

      assertThat(get(client, port, "/healthz").body()).isEqualTo("ok");
      assertThat(get(client, port, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(client, port, "/readyz").statusCode()).isEqualTo(500);
      ready.set(true);
      assertThat(get(client, port, "/readyz").statusCode()).isEqualTo(200);
      assertThat(get(client, port, "/metrics").statusCode()).isEqualTo(401);
      assertThat(get(client, port, Probes.EXPLAIN + "?namespace=a&pod=b").statusCode())
          .isEqualTo(401);
      assertThat(get(client, port, "/").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void portZeroServesNothing() throws Exception {
    try (var server = new WiredServer();
        var probes =
            new Probes(
                () -> true,
                () -> "",
                new Reviewer(server.admin(), InstantSource.system()),
                (_, _) -> Optional.empty())) {
      assertThat(probes.listen("127.0.0.1", 0)).isZero();
    }
  }

  private static HttpResponse<String> get(HttpClient client, int port, String path)
      throws Exception {
    var address = URI.create("https://127.0.0.1:%d%s".formatted(port, path));
    return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
  }

  private static SSLContext anybody() throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anybody()}, null);
    return context;
  }

  /// Probes are not told whom to trust either.
  private static final class Anybody extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
