package io.berth.admission.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXReason;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Trusts a server whose certificate one of the given authorities signed for the given name,
/// whatever address it was reached at.
public final class Trust extends X509ExtendedTrustManager {

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private final X509TrustManager authorities;
  private final String serverName;

  private Trust(X509TrustManager authorities, String serverName) {
    this.authorities = authorities;
    this.serverName = serverName;
  }

  /// `authority` is PEM; when it is empty, the authorities of the system count. `keys` are what
  /// this side shows who it is.
  public static SSLContext context(byte[] authority, String serverName, KeyManager... keys)
      throws GeneralSecurityException, IOException {
    var context = SSLContext.getInstance("TLS");
    context.init(keys, new TrustManager[] {new Trust(authorities(authority), serverName)}, null);
    return context;
  }

  /// Why a server is not trusted, in the words of Go.
  public static String complaint(SSLException e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof CertPathBuilderException || isUnanchored(cause)
        ? "x509: certificate signed by unknown authority"
        : "x509: " + cause.getMessage();
  }

  private static boolean isUnanchored(Throwable cause) {
    return cause instanceof CertPathValidatorException e
        && e.getReason() == PKIXReason.NO_TRUST_ANCHOR;
  }

  private static X509TrustManager authorities(byte[] authority)
      throws GeneralSecurityException, IOException {
    KeyStore store = null;
    if (authority.length > 0) {
      store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (var certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(authority))) {
        store.setCertificateEntry("authority" + number++, certificate);
      }
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (var manager : factory.getTrustManagers()) {
      if (manager instanceof X509TrustManager found) {
        return found;
      }
    }
    throw new GeneralSecurityException("this Java has no trust manager for certificates");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    authorities.checkServerTrusted(chain, type);
    checkName(chain[0]);
  }

  private void checkName(X509Certificate certificate) throws CertificateException {
    var names = certificate.getSubjectAlternativeNames();
    if (names != null) {
      for (var entry : names) {
        var kind = entry.get(0);
        var name = String.valueOf(entry.get(1));
        if ((kind.equals(DNS_NAME) && isFor(name.toLowerCase(Locale.ROOT)))
            || (kind.equals(IP_ADDRESS) && name.equals(bare(serverName)))) {
          return;
        }
      }
    }
    throw new CertificateException("certificate is not valid for " + serverName);
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  private boolean isFor(String name) {
    var wanted = serverName.toLowerCase(Locale.ROOT);
    int dot = wanted.indexOf('.');
    return name.equals(wanted)
        || (dot > 0 && name.startsWith("*.") && name.substring(1).equals(wanted.substring(dot)));
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, @Nullable SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("webhooks are servers");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return authorities.getAcceptedIssuers();
  }
}
