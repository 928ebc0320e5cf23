package io.berth.server.aggregation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.berth.server.identity.Authority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// An API server of `wardle.example.com/v1` on a free port of the loopback. It lets in nobody but
/// who shows a certificate of the front proxy, and answers by the last segment of the path.
final class TestExtension implements AutoCloseable {

  static final String GROUP_VERSION = "/apis/wardle.example.com/v1";

  private static final String RESOURCES =
      """
      {"kind":"APIResourceList","apiVersion":"v1","groupVersion":"wardle.example.com/v1","resources":[
       {"name":"flunders","singularName":"flunder","namespaced":true,"kind":"Flunder",
        "verbs":["create","get","list","watch"],"shortNames":["fl"]},
       {"name":"flunders/status","singularName":"","namespaced":true,"kind":"Flunder",
        "verbs":["get"]}]}
      """;

  /// What it was asked, but for questions about what it serves.
  record Asked(String method, String uri, Map<String, List<String>> headers, String body) {

    List<String> header(String name) {
      return headers.getOrDefault(name, List.of());
    }
  }

  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final List<String> clients = new CopyOnWriteArrayList<>();
  private final HttpsServer server;

  /// `host` is whom its certificate, signed by `authority`, is for; `trusted` is whom it trusts.
  TestExtension(Authority authority, String host, String trusted) throws Exception {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context(authority, host, trusted)) {
          @Override
          public void configure(HttpsParameters parameters) {
            var tls = getSSLContext().getDefaultSSLParameters();
            tls.setNeedClientAuth(true);
            parameters.setSSLParameters(tls);
          }
        });
    server.createContext("/", this::answer);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  private static SSLContext context(Authority authority, String host, String trusted)
      throws Exception {
    var own = authority.server(List.of(host));
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("me", own.key(), new char[0], new X509Certificate[] {own.certificate()});
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    var others = KeyStore.getInstance("PKCS12");
    others.load(null, null);
    others.setCertificateEntry(
        "front-proxy",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(trusted.getBytes(StandardCharsets.US_ASCII))));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(others);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  int port() {
    return server.getAddress().getPort();
  }

  List<Asked> asked() {
    return asked;
  }

  /// The subjects of the certificates that were shown.
  List<String> clients() {
    return clients;
  }

  private void answer(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    clients.add(((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName());
    switch (path) {
      case GROUP_VERSION -> send(exchange, 200, RESOURCES);
      case "/openapi/v3" ->
          send(
              exchange,
              200,
              "{\"paths\":{\"apis/wardle.example.com/v1\":{\"serverRelativeURL\":\"/openapi/v3/apis/wardle.example.com/v1?hash=A\"}}}");
      case "/openapi/v2" ->
          send(
              exchange,
              200,
              "{\"paths\":{\"/apis/wardle.example.com/v1/flunders\":{},\"/apis/other\":{}},\"definitions\":{\"com.example.Flunder\":{\"type\":\"object\"}}}");
      default -> record(exchange, path);
    }
  }

  private void record(HttpExchange exchange, String path) throws IOException {
    var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(
        new Asked(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            Map.copyOf(exchange.getRequestHeaders()),
            body));
    switch (path.substring(path.lastIndexOf('/') + 1)) {
      case "elsewhere" -> {
        exchange.getResponseHeaders().add("Location", "https://169.254.169.254/");
        send(exchange, 302, "");
      }
      case "compressed" -> {
        exchange.getResponseHeaders().add("Content-Encoding", "gzip");
        send(exchange, 200, "not really");
      }
      case "cookie" -> {
        exchange.getResponseHeaders().add("Set-Cookie", "a=b");
        exchange.getResponseHeaders().add("Warning", "299 - \"careful\"");
        send(exchange, 201, "{\"kind\":\"Flunder\"}");
      }
      default -> send(exchange, 200, "{\"n\":1}\n{\"n\":2}\n");
    }
  }

  private static void send(HttpExchange exchange, int code, String text) throws IOException {
    var body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
