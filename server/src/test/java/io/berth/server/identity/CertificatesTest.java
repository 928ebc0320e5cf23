package io.berth.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.codec.SigningRequest;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificatesTest {

  private static final Instant NOW = Instant.parse("2026-05-04T03:02:01Z");
  private static final Duration YEAR = Duration.ofDays(365);

  @Test
  void ownOnesHoldForAClockThatIsSetBackADay() throws GeneralSecurityException {
    var key = Certificates.newKey();
    var root = Certificates.selfSigned(key, "root", NOW, YEAR);
    var issuer = new Certificates.Issuer(root, key.getPrivate());
    var user =
        Certificates.forClient(issuer, key.getPublic(), "admin", List.of("masters"), NOW, YEAR);

    for (var certificate : List.of(root, user)) {
      assertThat(certificate.getNotBefore().toInstant()).isEqualTo(NOW.minus(Duration.ofDays(1)));
      assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(YEAR));
    }
  }

  @Test
  void requestedOnesBeginFiveMinutesAgoAsInKubernetes() throws GeneralSecurityException {
    var key = Certificates.newKey();
    var root = Certificates.selfSigned(key, "root", NOW, YEAR);
    var issuer = new Certificates.Issuer(root, key.getPrivate());
    var subject = Requests.name(Requests.commonName("jane"));
    var request = SigningRequest.parse(Requests.pem(subject));

    var certificate = Certificates.forRequest(issuer, request, NOW, YEAR);

    assertThat(certificate.getNotBefore().toInstant()).isEqualTo(NOW.minus(Duration.ofMinutes(5)));
  }
}
