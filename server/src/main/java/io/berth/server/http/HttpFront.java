package io.berth.server.http;

import io.berth.server.Limits;
import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.budget.Processor;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.websocket.server.ServerWebSocketContainer;
import org.eclipse.jetty.websocket.server.WebSocketUpgradeHandler;
import org.jspecify.annotations.Nullable;

/// Listens on one address with TLS, HTTP/1.1 and HTTP/2, and hands requests to an [Endpoint].
///
/// A few platform threads move bytes; every request runs on a virtual thread of its own.
public final class HttpFront implements AutoCloseable {

  private static final int THREADS = 16;
  private static final String LOOPBACK = "127.0.0.1";

  private final Server server;
  private final ServerConnector connector;
  private final @Nullable ServerKey key;

  private HttpFront(Server server, ServerConnector connector, @Nullable ServerKey key) {
    this.server = server;
    this.connector = connector;
    this.key = key;
  }

  /// Does once, for nothing, what a start does before it listens: the next one is quicker.
  public static void prepare(X509Certificate certificate, PrivateKey key) {
    try {
      var server = new Server(threads());
      var connections = new Connections(new Memory(Budget.ofHeap()), Limits.STRANGE_CONNECTIONS);
      var tls = tls(new ServerKey(certificate, key), List.of(certificate));
      var _ = connector(server, tls, slowClients(), connections);
    } catch (GeneralSecurityException e) {
      // The start will say so.
    }
  }

  private static SlowClients slowClients() {
    return new SlowClients(Limits.HEAD, Limits.BODY, Limits.ANSWER_STALL);
  }

  /// Starts listening. Port 0 takes any free one. What requests hold is charged to `memory`.
  ///
  /// @throws java.net.BindException when the port is taken
  public static HttpFront start(
      String address,
      int port,
      X509Certificate certificate,
      PrivateKey key,
      X509Certificate authority,
      Endpoint endpoint,
      Memory memory)
      throws Exception {
    return start(address, port, certificate, key, List.of(authority), endpoint, memory);
  }

  /// The same for clients of several authorities.
  public static HttpFront start(
      String address,
      int port,
      X509Certificate certificate,
      PrivateKey key,
      List<X509Certificate> authorities,
      Endpoint endpoint,
      Memory memory)
      throws Exception {
    return start(
        address,
        port,
        certificate,
        key,
        authorities,
        endpoint,
        memory,
        new Connections(memory, Limits.STRANGE_CONNECTIONS),
        slowClients(),
        Limits.SWEEP);
  }

  /// The same without TLS and with HTTP/1.1 alone, for callers on this machine.
  public static HttpFront startPlain(int port, Endpoint endpoint, Memory memory) throws Exception {
    var server = new Server(threads());
    var connections = new Connections(memory, Limits.STRANGE_CONNECTIONS);
    var slow = slowClients();
    var connector =
        open(new ServerConnector(server, 1, 1, http1(configuration(), slow, connections)));
    connector.setHost(LOOPBACK);
    connector.setPort(port);
    var exchange = exchange(server, endpoint, memory, connections, slow);
    return start(
        server, connector, null, exchange, () -> sweepRegularly(connector, slow, Limits.SWEEP));
  }

  static HttpFront start(
      String address,
      int port,
      X509Certificate certificate,
      PrivateKey key,
      List<X509Certificate> authorities,
      Endpoint endpoint,
      Memory memory,
      Connections connections,
      SlowClients slow,
      Duration sweep)
      throws Exception {
    var server = new Server(threads());
    var serverKey = new ServerKey(certificate, key);
    var connector = connector(server, tls(serverKey, authorities), slow, connections);
    connector.setHost(address);
    connector.setPort(port);
    var exchange = exchange(server, endpoint, memory, connections, slow);
    return start(
        server, connector, serverKey, exchange, () -> sweepRegularly(connector, slow, sweep));
  }

  private static Handler exchange(
      Server server, Endpoint endpoint, Memory memory, Connections connections, SlowClients slow) {
    var sockets = ServerWebSocketContainer.ensure(server);
    sockets.setIdleTimeout(Duration.ZERO);
    var upgrades = new WebSocketUpgradeHandler(sockets);
    upgrades.setHandler(new Exchange(endpoint, memory, connections, slow, sockets));
    return upgrades;
  }

  private static HttpFront start(
      Server server,
      ServerConnector connector,
      @Nullable ServerKey serverKey,
      Handler exchange,
      Runnable sweeping)
      throws Exception {
    server.setStopTimeout(0);
    server.addConnector(connector);
    server.setHandler(exchange);
    try {
      server.start();
    } catch (Exception e) {
      server.stop();
      throw e;
    }
    sweeping.run();
    return new HttpFront(server, connector, serverKey);
  }

  private static QueuedThreadPool threads() {
    var threads = new QueuedThreadPool(THREADS, 4);
    threads.setName("http");
    threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
    return threads;
  }

  private static void sweepRegularly(ServerConnector connector, SlowClients slow, Duration sweep) {
    var _ =
        connector
            .getScheduler()
            .schedule(
                () -> {
                  slow.sweep(System.nanoTime());
                  sweepRegularly(connector, slow, sweep);
                },
                sweep.toMillis(),
                TimeUnit.MILLISECONDS);
  }

  /// Shows another certificate to those who connect from now on.
  public void renew(X509Certificate certificate, PrivateKey newKey) {
    if (key != null) {
      key.replace(certificate, newKey);
    }
  }

  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP server did not stop", e);
    }
  }

  private static ServerConnector open(ServerConnector connector) {
    connector.setIdleTimeout(Limits.IDLE.toMillis());
    connector.setAcceptQueueSize(Limits.BACKLOG);
    connector.setReuseAddress(true);
    return connector;
  }

  private static HttpConnectionFactory http1(
      HttpConfiguration http, SlowClients slow, Connections connections) {
    var http1 = new HttpConnectionFactory(http);
    http1.addEventListener(slow);
    http1.addEventListener(connections);
    return http1;
  }

  private static HttpConfiguration configuration() {
    var http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(Limits.HEADER_BYTES);
    http.setHttpCompliance(HttpCompliance.RFC7230);
    // Names may hold what other servers refuse in paths; every segment is decoded once and checked.
    http.setUriCompliance(UriCompliance.UNSAFE);
    return http;
  }

  private static ServerConnector connector(
      Server server, SslContextFactory.Server tls, SlowClients slow, Connections connections) {
    var http = configuration();
    var customizer = new SecureRequestCustomizer();
    customizer.setSniHostCheck(false);
    http.addCustomizer(customizer);
    var http1 = http1(http, slow, connections);
    var http2 = new HTTP2ServerConnectionFactory(http);
    http2.setMaxConcurrentStreams(Limits.STREAMS_PER_CONNECTION);
    http2.setInitialSessionRecvWindow(4 << 20);
    http2.setInitialStreamRecvWindow(1 << 20);
    http2.setRateControlFactory(FrameCredit.FACTORY);
    http2.addEventListener(FrameCredit.LISTENER);
    http2.addEventListener(slow);
    http2.addEventListener(connections);
    var alpn = new ALPNServerConnectionFactory("h2", "http/1.1");
    alpn.setDefaultProtocol("http/1.1");
    // Such a connection lasts as long as the handshake.
    alpn.addEventListener(slow);
    alpn.addEventListener(connections);
    var ssl = new SslConnectionFactory(tls, alpn.getProtocol());
    return open(
        new ServerConnector(server, 1, 1, ssl, alpn, http2, http1) {
          @Override
          public void accept(int acceptor) throws IOException {
            super.accept(acceptor);
            Processor.SHARED.connected();
          }
        });
  }

  private static SslContextFactory.Server tls(ServerKey key, List<X509Certificate> authorities)
      throws GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {key}, new TrustManager[] {new AnyClient(authorities)}, null);
    var factory = new SslContextFactory.Server();
    factory.setSslContext(context);
    factory.setIncludeProtocols("TLSv1.2", "TLSv1.3");
    // The library leaves out all others that are weak; these are what Go does not offer either.
    factory.addExcludeCipherSuites(".*_CBC_.*");
    factory.setWantClientAuth(true);
    factory.setSniRequired(false);
    return factory;
  }

  /// Lets every client certificate through the handshake, as Kubernetes does: whether it is one of
  /// ours decides authentication, which can answer 401 where TLS could only hang up.
  private record AnyClient(List<X509Certificate> authorities) implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      throw new UnsupportedOperationException("the server connects to nobody");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return authorities.toArray(X509Certificate[]::new);
    }
  }

  static List<X509Certificate> certificates(org.eclipse.jetty.server.Request request) {
    var attribute = request.getAttribute(org.eclipse.jetty.io.EndPoint.SslSessionData.ATTRIBUTE);
    if (attribute instanceof org.eclipse.jetty.io.EndPoint.SslSessionData data
        && data.peerCertificates() != null) {
      return Arrays.asList(data.peerCertificates());
    }
    return List.of();
  }
}
