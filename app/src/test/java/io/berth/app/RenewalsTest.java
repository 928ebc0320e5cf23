package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.budget.Budget;
import io.berth.server.budget.Memory;
import io.berth.server.http.Answer;
import io.berth.server.http.HttpFront;
import io.berth.server.identity.Authority;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that runs for more than a year shows a certificate that is good all the time.
class RenewalsTest {

  private static final List<String> HOSTS = List.of("localhost", "127.0.0.1");

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final Authority authority = Authority.open(null, now::get);
  @TempDir private Path folder = Path.of("");

  @Test
  void certificatesOutliveTheirYear() throws Exception {
    var kubeconfig = folder.resolve("kubeconfig");
    Kubeconfig.write(kubeconfig, "https://localhost", authority);
    var identity = authority.server(HOSTS);
    try (var front =
            HttpFront.start(
                "127.0.0.1",
                0,
                identity.certificate(),
                identity.key(),
                authority.certificate(),
                _ -> Answer.of(200, "", new byte[0]),
                new Memory(Budget.ofHeap()));
        var renewals =
            new Renewals(
                now::get,
                List.of(
                    () -> renew(front),
                    () -> Kubeconfig.write(kubeconfig, "https://localhost", authority)))) {
      for (int day = 0; day < 1200; day += 10) {
        now.updateAndGet(instant -> instant.plus(Duration.ofDays(10)));
        renewals.check();
        assertGood(shown(front.port()), day);
        assertGood(client(kubeconfig), day);
      }
    }
  }

  private void renew(HttpFront front) {
    var identity = authority.server(HOSTS);
    front.renew(identity.certificate(), identity.key());
  }

  private void assertGood(X509Certificate certificate, int day) {
    var today = Objects.requireNonNull(now.get());
    assertThat(certificate.getNotAfter().toInstant())
        .as("%s on day %d", certificate.getSubjectX500Principal(), day)
        .isAfter(today.plus(Duration.ofDays(30)));
    assertThat(certificate.getNotBefore().toInstant()).isBefore(today);
  }

  private static X509Certificate shown(int port) throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anybody()}, null);
    try (var socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private static X509Certificate client(Path kubeconfig) throws Exception {
    for (var line : Files.readAllLines(kubeconfig)) {
      var words = line.strip().split(": ", 2);
      if (words[0].endsWith("client-certificate-data")) {
        var pem = Base64.getDecoder().decode(words[1].replace("\"", ""));
        return (X509Certificate)
            CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem));
      }
    }
    throw new IOException("no client certificate in " + kubeconfig);
  }

  /// The certificate is looked at, not trusted.
  private static final class Anybody implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
