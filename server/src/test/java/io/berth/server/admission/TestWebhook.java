package io.berth.server.admission;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.TestTls;
import io.berth.server.identity.Authority;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/// A webhook on a free port of the loopback. The path of its address says what it answers.
final class TestWebhook implements AutoCloseable {

  private final List<Tree> reviews = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpsServer server;
  private Authority authority;

  TestWebhook(Authority authority) throws Exception {
    this(authority, "127.0.0.1");
  }

  /// `host` is whom its certificate is for.
  TestWebhook(Authority authority, String host) throws Exception {
    this.authority = authority;
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(TestTls.server(authority, host)));
    server.createContext("/", this::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  /// Configurations made from now on trust this authority.
  TestWebhook trustedBy(Authority other) {
    authority = other;
    return this;
  }

  /// What was asked.
  List<Tree> reviews() {
    return reviews;
  }

  int port() {
    return server.getAddress().getPort();
  }

  void validating(PolicyServer at, String path, String more) {
    register(at, "validatingwebhookconfigurations", path, more);
  }

  void mutating(PolicyServer at, String path, String more) {
    register(at, "mutatingwebhookconfigurations", path, more);
  }

  private void register(PolicyServer at, String plural, String path, String more) {
    at.register(plural, configuration("https://127.0.0.1:%d%s".formatted(port(), path), more));
  }

  /// One webhook for config maps; `more` are lines of it.
  String configuration(String url, String more) {
    return configurationOf("url: '%s'".formatted(url), more);
  }

  /// The same behind a service in `pt`.
  String behind(String service, int port, String path) {
    return configurationOf(
        "service: {namespace: pt, name: %s, port: %d, path: %s}".formatted(service, port, path),
        "");
  }

  private String configurationOf(String client, String more) {
    return """
    metadata: {name: hooks}
    webhooks:
    - name: hook.example.com
      admissionReviewVersions: [v1]
      sideEffects: None
      rules:
      - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}
      clientConfig: {%s, caBundle: %s}
    %s
    """
        .formatted(client, base64(authority.certificatePem()), more.indent(2));
  }

  private void answer(HttpExchange exchange) throws IOException {
    var review = Json.read(exchange.getRequestBody().readAllBytes());
    reviews.add(review);
    var response = Tree.of("uid", review.textOrEmpty("request", "uid"), "allowed", Boolean.TRUE);
    switch (exchange.getRequestURI().getPath()) {
      case "/deny" -> deny(response, 403L);
      case "/deny-oddly" -> deny(response, 123_456_789_012L);
      case "/silent" -> response.put("allowed", Boolean.FALSE);
      case "/other" -> response.put("uid", "other");
      case "/label" ->
          patch(response, "[{\"op\":\"add\",\"path\":\"/data\",\"value\":{\"a\":\"b\"}}]");
      case "/copies" -> patch(response, "[" + String.join(",", copies()) + "]");
      case "/text" -> send(exchange, 200, "hello");
      case "/list" -> send(exchange, 200, "[]");
      case "/deep" -> send(exchange, 200, "{\"a\":".repeat(500_000));
      case "/error" -> send(exchange, 500, "out of order");
      case "/large" -> send(exchange, 200, " ".repeat(4 << 20));
      case "/elsewhere" -> {
        exchange.getResponseHeaders().add("Location", "/allow");
        send(exchange, 307, "");
      }
      case "/never" -> awaitClose();
      case "/trickle" -> {
        exchange.sendResponseHeaders(200, 1000);
        exchange.getResponseBody().write('{');
        exchange.getResponseBody().flush();
        awaitClose();
      }
      default -> {}
    }
    var whole = Tree.of("apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview");
    send(exchange, 200, Json.text(whole.put("response", response)));
  }

  /// Each step makes all that is there twice as much.
  private static List<String> copies() {
    return IntStream.range(0, 60)
        .mapToObj(i -> "{\"op\":\"copy\",\"from\":\"/data\",\"path\":\"/data/x%d\"}".formatted(i))
        .toList();
  }

  private static void deny(Tree response, long code) {
    response
        .put("allowed", Boolean.FALSE)
        .put("status", Tree.of("message", "no way", "code", code, "reason", "Forbidden"));
  }

  private static void patch(Tree response, String patch) {
    response.put("patchType", "JSONPatch").put("patch", base64(patch));
  }

  /// Sends once; what comes after the first answer is dropped.
  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    if (exchange.getResponseCode() >= 0) {
      return;
    }
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
