package io.berth.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.berth.cli.UserError;
import io.berth.server.identity.Authority;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Health of the scheduler for the kubelet and metrics for Prometheus, over HTTPS with a
/// certificate made at start, as kube-scheduler serves them. Health is for everybody, metrics for
/// whom the cluster lets read them.
final class Probes implements AutoCloseable {

  private static final char[] NO_PASSWORD = {};

  private final BooleanSupplier ready;
  private final Supplier<String> metrics;
  private final Reviewer reviewer;
  private @Nullable HttpServer server;

  Probes(BooleanSupplier ready, Supplier<String> metrics, Reviewer reviewer) {
    this.ready = ready;
    this.metrics = metrics;
    this.reviewer = reviewer;
  }

  /// Port 0 serves nothing.
  void listen(String address, int port) throws Exception {
    if (port == 0) {
      return;
    }
    try {
      var https = HttpsServer.create(new InetSocketAddress(address, port), 16);
      https.setHttpsConfigurator(new HttpsConfigurator(identity(address)));
      https.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      https.createContext("/healthz", exchange -> answer(exchange, true));
      https.createContext("/livez", exchange -> answer(exchange, true));
      https.createContext("/readyz", exchange -> answer(exchange, ready.getAsBoolean()));
      https.createContext("/metrics", this::metrics);
      https.start();
      server = https;
    } catch (BindException e) {
      throw new UserError(
          "port %d on %s is taken; choose another one with --secure-port".formatted(port, address));
    }
  }

  private static SSLContext identity(String address) throws Exception {
    var made = Authority.open(null).server(List.of(address, "localhost", "127.0.0.1"));
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("me", made.key(), NO_PASSWORD, new Certificate[] {made.certificate()});
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, NO_PASSWORD);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private void metrics(HttpExchange exchange) throws IOException {
    var header = exchange.getRequestHeaders().getFirst("Authorization");
    var type = "text/plain; version=0.0.4; charset=utf-8";
    switch (reviewer.mayRead("/metrics", header)) {
      case YES -> send(exchange, 200, type, metrics.get());
      case NO -> send(exchange, 403, type, "Forbidden\n");
      case WHO -> send(exchange, 401, type, "Unauthorized\n");
    }
  }

  private static void answer(HttpExchange exchange, boolean good) throws IOException {
    send(exchange, good ? 200 : 500, "text/plain; charset=utf-8", good ? "ok" : "not ready");
  }

  private static void send(HttpExchange exchange, int code, String type, String text)
      throws IOException {
    try (exchange) {
      var bytes = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.stop(0);
    }
  }
}
