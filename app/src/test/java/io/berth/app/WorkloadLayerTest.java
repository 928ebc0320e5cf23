package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.live.LiveCluster;
import io.berth.cli.Port;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.identity.Authority;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadLayerTest {

  private static final String LOOPBACK = "127.0.0.1";

  @TempDir private Path folder = Path.of("");

  @Test
  void whoIsStoppedWhileStartingKeepsTheCredentials() throws Exception {
    try (var server = new WiredServer()) {
      var first = start(server);
      first.awaitStarted();
      first.close();
      var credentials = Files.readString(folder.resolve("credentials.json"));

      start(server).close();

      var third = start(server);
      third.awaitStarted();
      third.close();
      assertThat(folder.resolve("credentials.json")).hasContent(credentials);
    }
  }

  @Test
  void aRouteThatNeedsNoTokenTakesSmallBodies() throws Exception {
    try (var server = new WiredServer();
        var layer = start(server)) {
      layer.awaitStarted();
      var tls = WorkloadApi.trusting(folder.resolve("ca.crt"));
      try (var client = HttpClient.newBuilder().sslContext(tls).build()) {
        var body = "{\"grantType\":\"" + "x".repeat(16 << 10) + "\"}";
        var address = URI.create("https://%s:%d/api/v1/token".formatted(LOOPBACK, layer.port()));
        var request =
            HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();

        assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(413);
      }
    }
  }

  private WorkloadLayer start(WiredServer server) throws Exception {
    return new WorkloadLayer(
        server.admin(),
        new LiveCluster(new Spectator(server.admin())),
        Authority.open(null),
        folder,
        LOOPBACK,
        Port.any(),
        List.of(LOOPBACK),
        new Memory(Budget.ofHeap()),
        null);
  }
}
