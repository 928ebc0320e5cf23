package io.berth.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SigningRequestTest {

  /// Made by `openssl req -new`; the keys are forgotten.
  private static final String EC =
      """
      -----BEGIN CERTIFICATE REQUEST-----
      MIHhMIGJAgEAMCcxEDAOBgNVBAoMB3Rlc3RlcnMxEzARBgNVBAMMCnRlc3Rlci1j
      c3IwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASCozBI4wx72Ht6cZkudb3rUQ/E
      hCjqu7+nDqJ7cXzzd9wYZ63JlzC8JCsqwi4+KJbTZpHb9CTQOM5USUU4lHU6oAAw
      CgYIKoZIzj0EAwIDRwAwRAIgTdi5seWCJQeT+SET+OIkecvWhe1kof47QxGhVK5Z
      UMUCIFrzAHmt6cb4TRDwsftAvwegEkn3gMrYNG4Soqm5vFpw
      -----END CERTIFICATE REQUEST-----
      """;

  private static final String RSA =
      """
      -----BEGIN CERTIFICATE REQUEST-----
      MIICWDCCAUACAQAwEzERMA8GA1UEAwwIcnNhLXVzZXIwggEiMA0GCSqGSIb3DQEB
      AQUAA4IBDwAwggEKAoIBAQC+jXMBK2+AByAJPfpnukVWWfTFdiZviPwuq9ZSxuj+
      /vWaNrRidTKaEojLgZxO3CO8pa6eigZezLtEC3HLDy0lvhkY8RhMzYZKZfJXg68m
      33YFgkAU4s9xZbxqfHpS9Ce/dZSWbVW7VCFmQh3gi7BvU3XWwACckRUvJt44fmEz
      1VpjzjgHpZByfPSLAXtU6PJf7saVTqnJqD2X4VtNhQSy7QoH75jw8IFcIqk7Dn1l
      X4nwHimQSw8GdIS6kvs5GvpxNuMHBKN0ufgpSmIrGodY/XcJpr/GVrq8y+hxZ6j8
      cjDUYjhrDqfvVP1w7ht8OQRuYpqO/fcQy7vOmBYUD9JFAgMBAAGgADANBgkqhkiG
      9w0BAQsFAAOCAQEADoEXdbwGyx3TD4k06vfSWeC7LnHkj00T9er10Wfilisw9h4R
      5DQRtPZqIzK6dfLGD/FWQV3CRXRm6Zi1lZnP5fVACyjTBIcckxErodO/VJPhz7Gg
      Bnj4FYUY+Ugh6s0j9GwfZW9A9Vnazm5XgU575NQbNqoHIqUOXTipC9D3Gv+9mY1U
      Xje5KMPhTf/+OGhxYw9GjWAfiqHoY+8kbRkMZDhLUxZEqRWTfAiJ9W8D6FDx40PH
      mpwjBaNNPYeIJAxLRe+GkOakKfSDjyjDOj7vKs/UUgOoK7j/1B5cKIPdHztpa7xP
      EfBRgucXvrlZzFnKFvdGc3WYTY6o/iCJ00bxug==
      -----END CERTIFICATE REQUEST-----
      """;

  private final Authority authority = Authority.open(null);

  @ParameterizedTest
  @CsvSource(
      value = {"EC|CN=tester-csr,O=testers", "RSA|CN=rsa-user"},
      delimiter = '|')
  void aRequestBecomesACertificateForItsSubject(String which, String subject) throws Exception {
    var pem = authority.signClient(which.equals("EC") ? EC : RSA, Duration.ofHours(1));

    var certificate = Certificates.certificate(pem);
    certificate.verify(authority.certificate().getPublicKey());
    assertThat(certificate.getSubjectX500Principal().getName()).isEqualTo(subject);
    assertThat(certificate.getNotAfter().toInstant())
        .isBefore(Instant.now().plus(Duration.ofMinutes(61)));
    assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
  }

  @Test
  void whatIsNotSignedByItsOwnKeyIsRefused() {
    int at = EC.length() / 2;
    var changed = EC.substring(0, at) + (EC.charAt(at) == 'A' ? 'B' : 'A') + EC.substring(at + 1);

    assertThatThrownBy(() -> authority.signClient(changed, Duration.ofHours(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> authority.signClient("nonsense", Duration.ofHours(1)))
        .hasMessage("PEM block type must be CERTIFICATE REQUEST");
  }
}
