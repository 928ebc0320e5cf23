package io.berth.kinds.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.FieldErrors;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The certificates here are valid from noon of the first day of 2026; what a real API server said
/// about each of them, issued in that minute, is the message expected.
class IssuedChainTest {

  private static final String BEGIN = "2026-01-01T12:00:00Z";
  private static final Instant NOON = Instant.parse(BEGIN);
  private static final String REQUEST =
      "MH8wMwIBADAAMCowBQYDK2VwAyEA2ckY0biIeuBwnQDwJa+Z3zLI8o+Vn6bWWao6xao3B92gADAFBgMr"
          + "ZXADQQAwrruOFY2lsXk+HOpkh52cMXkiC1csaHer8nOrVbGOyRWaasO+cQ0Ya/pZqnP1G2g8ymmlg7GK"
          + "q5G837T2llID";
  private static final String EIGHT_HOURS =
      "MIHUMHygAwIBAgIBBTAKBggqhkjOPQQDAjAMMQowCAYDVQQDDAF4MB4XDTI2MDEwMTEyMDAwMFoXDTI2"
          + "MDEwMTIwMDAwMFowDDEKMAgGA1UEAwwBeDAqMAUGAytlcAMhANnJGNG4iHrgcJ0A8CWvmd8yyPKPlZ+m"
          + "1lmqOsWqNwfdMAoGCCqGSM49BAMCA0gAMEUCIQCZ3uEGFmJLKHGRfhiC1tdSDEz4+tRiPj3PIt6lAwGi"
          + "PAIgKCCuKwv2FCBCYUAt+gMSdU38JI0dZMQ75BIZG6cINzk=";
  private static final String HALF_AN_HOUR =
      "MIHUMHygAwIBAgIBBTAKBggqhkjOPQQDAjAMMQowCAYDVQQDDAF4MB4XDTI2MDEwMTEyMDAwMFoXDTI2"
          + "MDEwMTEyMzAwMFowDDEKMAgGA1UEAwwBeDAqMAUGAytlcAMhANnJGNG4iHrgcJ0A8CWvmd8yyPKPlZ+m"
          + "1lmqOsWqNwfdMAoGCCqGSM49BAMCA0gAMEUCIAILSjQqQdw6svvDePpvDcqWQgR6k+GwtmrEXN4DuzuI"
          + "AiEAmLjtzwlUSr1s7jr/+/C67xjPbdJ8Zs+U/psE04ANggA=";
  private static final String OF_ANOTHER_KEY =
      "MIIBRjCB7qADAgECAgEFMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMMAXgwHhcNMjYwMTAxMTIwMDAwWhcN"
          + "MjYwMTAxMjAwMDAwWjAMMQowCAYDVQQDDAF4MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBTdhvyQsG"
          + "mT8AM9OzwwcxD/87Yic0NG36hCaNhe4Elozf6KSdqonnPe1TjWs6n50v84HBlwz/KIZ9yRi8Xr5+8QoB"
          + "+/9oOkaHMprqik7R6J5GDi7z9eDwLtDJxeODgY8SF5p+EgCPqmeMOo0PPaSAizr1oDFxSUjPJPo2ms3w"
          + "wVqL2lcwCgYIKoZIzj0EAwIDRwAwRAIgcIA1mhQE/20uyuP+gQGop4BIla9/Ss3b346ExwpUU2oCIDMG"
          + "zdhqsVy0VuOuACr1A3xmBEe+RrqWRhxTERzwGKMV";

  @Test
  void takesWhatWasAskedFor() {
    assertThat(problems(pem(EIGHT_HOURS), "2026-01-01T20:00:00Z", "2026-01-01T16:00:00Z", NOON))
        .isEmpty();
    assertThat(
            problems(
                pem(EIGHT_HOURS) + pem(HALF_AN_HOUR),
                "2026-01-01T20:00:00Z",
                "2026-01-01T16:00:00Z",
                NOON))
        .isEmpty();
  }

  @Test
  void refusesOtherTimes() {
    var end = "2026-01-01T20:00:00Z";
    assertThat(problems(pem(EIGHT_HOURS), end, "2026-01-01T16:00:00Z", NOON.plusSeconds(300)))
        .containsExactly(
            "status.notBefore: Invalid value: \"2026-01-01T12:00:00Z\": must be set to within 5"
                + " minutes of kube-apiserver's current time");
    assertThat(problems(pem(EIGHT_HOURS), "2026-01-01T19:00:00Z", "2026-01-01T16:00:00Z", NOON))
        .containsExactly(
            "status.notAfter: Invalid value: \"2026-01-01T19:00:00Z\": must be set to the NotAfter"
                + " time encoded in the leaf certificate");
    assertThat(problems(pem(EIGHT_HOURS), end, "2026-01-01T12:09:59Z", NOON))
        .containsExactly(
            "status.beginRefreshAt: Invalid value: \"2026-01-01T12:09:59Z\": must be at least 10"
                + " minutes after status.notBefore");
    assertThat(problems(pem(EIGHT_HOURS), end, "2026-01-01T19:50:01Z", NOON))
        .containsExactly(
            "status.beginRefreshAt: Invalid value: \"2026-01-01T19:50:01Z\": must be at least 10"
                + " minutes before status.notAfter");
    assertThat(problems(pem(HALF_AN_HOUR), "2026-01-01T12:30:00Z", "2026-01-01T12:15:00Z", NOON))
        .containsExactly(
            "status.certificateChain: Invalid value: 1800000000000: leaf certificate lifetime must"
                + " be >= 1 hour");
  }

  @Test
  void refusesOtherKeysAndOtherThings() {
    var end = "2026-01-01T20:00:00Z";
    var refresh = "2026-01-01T16:00:00Z";
    assertThat(problems(pem(OF_ANOTHER_KEY), end, refresh, NOON).getFirst())
        .endsWith("leaf certificate was not issued to the requested public key");
    assertThat(problems("", end, refresh, NOON))
        .containsExactly(
            "status.certificateChain: Invalid value: \"\": issued certificate chain must contain at"
                + " least one certificate");
    assertThat(problems(pem("eA=="), end, refresh, NOON).getFirst())
        .endsWith("leaf certificate does not parse as valid X.509");
    assertThat(problems(pem(EIGHT_HOURS) + pem("eA=="), end, refresh, NOON).getFirst())
        .endsWith("intermediate certificate does not parse as valid X.509");
    var mixed = pem(EIGHT_HOURS) + pem(EIGHT_HOURS).replace("CERTIFICATE", "FOO");
    assertThat(problems(mixed, end, refresh, NOON).getFirst())
        .endsWith("must consist entirely of CERTFICATE PEM blocks");
  }

  private static String pem(String base64) {
    return "-----BEGIN CERTIFICATE-----\n" + base64 + "\n-----END CERTIFICATE-----\n";
  }

  private static List<String> problems(String chain, String end, String refresh, Instant now) {
    var object =
        Tree.of(
            "spec",
            Tree.of("stubPKCS10Request", REQUEST, "maxExpirationSeconds", 86_400L),
            "status",
            Tree.of(
                "certificateChain",
                chain,
                "notBefore",
                BEGIN,
                "notAfter",
                end,
                "beginRefreshAt",
                refresh));
    var errors = new FieldErrors();
    new IssuedChain(Cursor.of(object, errors), now).validate();
    return errors.list().stream().map(Object::toString).toList();
  }
}
