package io.berth.cluster.kubernetes;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Comparator;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Puts TLS on sockets: whom we trust, and the certificate that says who we are.
public final class TlsSockets {

  private static final char[] NO_PASSWORD = {};

  private final SSLContext context;
  private final boolean checkName;
  private final String[] suites;

  private TlsSockets(SSLContext context, boolean checkName) {
    this.context = context;
    this.checkName = checkName;
    this.suites = lightestFirst(context.getDefaultSSLParameters().getCipherSuites());
  }

  // Java's AES is quick only where the optimizing compiler puts the processor's own in its place,
  // which the scheduler runs without: there ChaCha20 costs a quarter, and elsewhere no more.
  private static String[] lightestFirst(String[] suites) {
    return Stream.of(suites)
        .sorted(Comparator.comparing(suite -> !suite.contains("CHACHA20")))
        .toArray(String[]::new);
  }

  /// Our certificate and trust, for another HTTP client.
  public SSLContext context() {
    return context;
  }

  /// Without an `authority` the machine's own list of authorities is trusted.
  static TlsSockets of(
      @Nullable String authority,
      @Nullable String certificate,
      @Nullable String key,
      boolean insecure) {
    try {
      var context = SSLContext.getInstance("TLS");
      var trust = insecure ? new TrustManager[] {new Unchecked()} : trust(authority);
      context.init(identity(certificate, key), trust, new SecureRandom());
      return new TlsSockets(context, !insecure);
    } catch (GeneralSecurityException | IOException e) {
      throw new AccessException("cannot use the certificates: " + e.getMessage());
    }
  }

  /// Speaks TLS on a connected socket; the handshake is done when this returns.
  SSLSocket on(Socket connected, String name, int port, String... protocols) throws IOException {
    var socket = (SSLSocket) context.getSocketFactory().createSocket(connected, name, port, true);
    var parameters = new SSLParameters();
    if (checkName) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    parameters.setApplicationProtocols(protocols);
    parameters.setCipherSuites(suites);
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private static TrustManager @Nullable [] trust(@Nullable String authority)
      throws GeneralSecurityException, IOException {
    if (authority == null) {
      return null;
    }
    var store = emptyStore();
    int i = 0;
    for (var certificate : Pem.certificates(authority)) {
      store.setCertificateEntry("ca" + i++, certificate);
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyManager @Nullable [] identity(
      @Nullable String certificate, @Nullable String key)
      throws GeneralSecurityException, IOException {
    if (certificate == null || key == null) {
      return null;
    }
    PrivateKey secret = Pem.key(key);
    var chain = Pem.certificates(certificate).toArray(Certificate[]::new);
    var store = emptyStore();
    store.setKeyEntry("me", secret, NO_PASSWORD, chain);
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  /// For `insecure-skip-tls-verify: true`, which the owner of the kubeconfig wrote there.
  private static final class Unchecked extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
