package io.berth.server;

import io.berth.server.identity.Authority;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// Both sides of TLS: whom a client trusts and who it is, and who a server is.
public final class TestTls {

  private TestTls() {}

  /// Trusts `authority` alone; without an identity it is a stranger.
  public static SSLContext client(Authority authority, Authority.@Nullable Identity identity)
      throws Exception {
    var trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("ca", authority.certificate());
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    var own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    if (identity != null) {
      own.setKeyEntry(
          "me", identity.key(), new char[0], new X509Certificate[] {identity.certificate()});
    }
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /// A server that `authority` vouches for as `host`.
  public static SSLContext server(Authority authority, String host) throws Exception {
    var own = authority.server(List.of(host));
    var store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "me",
        own.key(),
        new char[0],
        new X509Certificate[] {own.certificate(), authority.certificate()});
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    var context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
