package io.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.admission.AdmissionChain;
import io.berth.codec.Json;
import io.berth.server.identity.Authority;
import io.berth.store.Codec;
import io.berth.store.Settings;
import io.berth.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A thousand connections that send next to nothing, and a client that wants to work.
class SlowConnectionsTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final Store store =
      Store.inMemory(Settings.of(new Codec(Json::write, Json::readLenient)));
  private final ApiServer server =
      new ApiServer(
          store, AUTHORITY, AdmissionChain.of(List.of(), List.of()), ServerSettings.plain());
  private final List<Socket> slow = new ArrayList<>();
  private int port;

  @BeforeEach
  void start() throws Exception {
    port = server.listen("127.0.0.1", 0, List.of("127.0.0.1"));
  }

  @AfterEach
  void stop() throws IOException {
    for (var socket : slow) {
      socket.close();
    }
    server.close();
    store.close();
  }

  @Test
  void neitherHandshakesNorHeadsNorBodiesThatDoNotEndStopOthers() throws Exception {
    open(400, Start.OF_A_HANDSHAKE);
    open(300, Start.OF_A_HEAD);
    open(300, Start.OF_A_BODY);

    try (var client = HttpClient.newBuilder().sslContext(tls()).build()) {
      for (int i = 0; i < 50; i++) {
        var map = "{\"metadata\":{\"name\":\"m%d\"}}".formatted(i);
        assertThat(send(client, request(MAPS).POST(BodyPublishers.ofString(map)))).isEqualTo(201);
        assertThat(send(client, request(MAPS + "/m" + i).GET())).isEqualTo(200);
      }
    }
  }

  private enum Start {
    OF_A_HANDSHAKE,
    OF_A_HEAD,
    OF_A_BODY
  }

  /// A few at a time: a handshake that waits for a thousand others would be a slow one itself.
  private void open(int count, Start start) throws Exception {
    var tls = TestTls.client(AUTHORITY, null);
    var opening = new ArrayList<Future<Socket>>();
    try (var executor = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < count; i++) {
        opening.add(executor.submit(() -> opened(tls, start)));
      }
    }
    for (var each : opening) {
      slow.add(each.get());
    }
  }

  private Socket opened(SSLContext tls, Start start) throws IOException {
    var socket =
        start == Start.OF_A_HANDSHAKE
            ? new Socket(InetAddress.getLoopbackAddress(), port)
            : tls.getSocketFactory().createSocket("127.0.0.1", port);
    var text =
        switch (start) {
          // A record of a handshake, 512 bytes long.
          case OF_A_HANDSHAKE -> "\u0016\u0003\u0001\u0002\u0000\u0001";
          case OF_A_HEAD -> "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ";
          case OF_A_BODY ->
              "POST " + MAPS + " HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{";
        };
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
        .header("Content-Type", "application/json");
  }

  private static int send(HttpClient client, HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), BodyHandlers.ofString()).statusCode();
  }

  private static SSLContext tls() throws Exception {
    return TestTls.client(AUTHORITY, AUTHORITY.client("admin", List.of("system:masters")));
  }
}
