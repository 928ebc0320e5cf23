package io.berth.scheduler.extender;

import io.berth.api.ExtenderConfiguration;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// Whom an extender's client trusts: the authority in its configuration, or the machine's.
///
/// Departures from Kubernetes: without an authority Kubernetes does not check the extender's
/// certificate at all; here it has to be good. Client certificates are not sent.
final class ExtenderTls {

  private ExtenderTls() {}

  static SSLContext context(ExtenderConfiguration configuration) {
    var tls = configuration.tls();
    if (tls.insecure() || !tls.certFile().isEmpty() || !tls.certData().isEmpty()) {
      throw new IllegalArgumentException(
          "extender %s: tlsConfig.insecure and client certificates are not supported; give its authority in caFile or caData"
              .formatted(configuration.urlPrefix()));
    }
    try {
      var authority =
          tls.caFile().isEmpty() ? tls.caData() : Files.readString(Path.of(tls.caFile()));
      if (authority.isEmpty()) {
        return SSLContext.getDefault();
      }
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      int i = 0;
      for (var certificate :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(authority.getBytes(StandardCharsets.UTF_8)))) {
        store.setCertificateEntry("ca" + i++, certificate);
      }
      var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      var context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "extender %s: %s".formatted(configuration.urlPrefix(), e.getMessage()), e);
    }
  }
}
