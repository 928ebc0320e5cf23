package io.berth.server.aggregation;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Believes every certificate, for those who ask for that with `insecureSkipTLSVerify`.
final class AnyServer extends X509ExtendedTrustManager {

  private AnyServer() {}

  static SSLContext context(KeyManager key) throws GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(new KeyManager[] {key}, new TrustManager[] {new AnyServer()}, null);
    return context;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) {}

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket) {}

  @Override
  public void checkServerTrusted(
      X509Certificate[] chain, String type, @Nullable SSLEngine engine) {}

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("the other side is a server");
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
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
