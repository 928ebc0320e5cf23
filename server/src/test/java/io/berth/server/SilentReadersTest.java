package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.admission.AdmissionChain;
import io.berth.codec.Json;
import io.berth.server.budget.Use;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Clients that ask for much and take none of it.
class SilentReadersTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final int READERS = 24;

  private final Store store =
      Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
  private final ApiServer server =
      new ApiServer(
          store, AUTHORITY, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
  private String url;

  @BeforeEach
  void start() throws Exception {
    url = "https://127.0.0.1:" + server.listen("127.0.0.1", 0, List.of("127.0.0.1")) + MAPS;
    try (var client = client()) {
      var random = new Random(1);
      for (int i = 0; i < 16; i++) {
        var bytes = new byte[1 << 19];
        random.nextBytes(bytes);
        var map =
            "{\"metadata\":{\"name\":\"m%d\"},\"binaryData\":{\"x\":\"%s\"}}"
                .formatted(i, Base64.getEncoder().encodeToString(bytes));
        var request =
            HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(map));
        assertThat(client.send(request.build(), BodyHandlers.discarding()).statusCode())
            .isEqualTo(201);
      }
    }
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  @Test
  void compressedAnswersAreNotKeptForThem() throws Exception {
    var clients = new ArrayList<HttpClient>();
    var bodies = new ArrayList<InputStream>();
    for (int i = 0; i < READERS; i++) {
      var client = client();
      clients.add(client);
      var answer =
          client.send(
              HttpRequest.newBuilder(URI.create(url)).header("Accept-Encoding", "gzip").build(),
              BodyHandlers.ofInputStream());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
      // Nobody knows its length who has not made it whole.
      assertThat(answer.headers().firstValue("Content-Length")).isEmpty();
      bodies.add(answer.body());
    }

    // One answer is 11 MiB of JSON, and 8 compressed.
    assertThat(server.memory().inUse(Use.ANSWERS))
        .isBetween(READERS * (100L << 10), READERS * (1L << 20));
    try (var body = new GZIPInputStream(bodies.getFirst())) {
      assertThat(Json.read(body.readAllBytes()).trees("items")).hasSize(16);
    }
    clients.forEach(HttpClient::shutdownNow);
    while (server.memory().budget().inUse() > 0) {
      Thread.onSpinWait();
    }
  }

  private static HttpClient client() throws Exception {
    SSLContext tls =
        TestTls.client(AUTHORITY, AUTHORITY.client("admin", List.of("system:masters")));
    return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
  }
}
