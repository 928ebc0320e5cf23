package io.berth.server.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.server.identity.Authority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Webhooks that answer anything, or nothing, and addresses where none may be.
class HostileWebhookTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final String FAILED =
      "Internal error occurred: failed calling webhook \"hook.example.com\": ";

  private PolicyServer server;
  private TestWebhook webhook;

  @BeforeEach
  void start() throws Exception {
    server = new PolicyServer();
    webhook = new TestWebhook(AUTHORITY);
  }

  @AfterEach
  void stop() {
    webhook.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://169.254.169.254/latest/meta-data",
        "https://169.254.169.254:80/",
        "https://169.254.170.2/v2/credentials",
        "https://169.254.0.1/",
        "https://[fd00:ec2::254]/latest/meta-data",
        "https://[fe80::1]/",
        "https://[::ffff:169.254.169.254]/",
        "https://[::ffff:a9fe:a9fe]/",
        "https://0.0.0.0:10250/",
        "https://[::]:10250/",
        "https://224.0.0.1/",
        "https://[ff02::1]/"
      })
  void addressesThatAreForNoWebhookAreNotCalled(String url) {
    server.register(
        "validatingwebhookconfigurations", webhook.configuration(url, "timeoutSeconds: 1"));

    assertThat(server.refusal("metadata: {name: a}"))
        .startsWith(FAILED + "failed to call webhook: Post \"" + url)
        .endsWith("is link-local, unspecified or multicast, where nobody is called");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      commentCharacter = '$',
      value = {
        "http://127.0.0.1/    | 'https' is the only allowed URL scheme",
        "file:///etc/passwd   | 'https' is the only allowed URL scheme",
        "gopher://127.0.0.1/  | 'https' is the only allowed URL scheme",
        "https:///path        | host must be specified",
        "https://a:b@host/    | user information is not permitted in the URL",
        "https://host/?a=b    | query parameters are not permitted in the URL",
        "https://host/#a      | fragments are not permitted in the URL"
      })
  void onlyPlainSecureAddressesAreTaken(String url, String message) {
    assertThatThrownBy(() ->
            server.register("validatingwebhookconfigurations", webhook.configuration(url, "")))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/text      | failed to call webhook: couldn't get version/kind; json parse error",
        "/list      | failed to call webhook: couldn't get version/kind; json parse error",
        "/deep      | failed to call webhook: couldn't get version/kind; json parse error",
        "/error     | has prevented the request from succeeding",
        "/large     | failed to call webhook",
        "/elsewhere | failed to call webhook"
      })
  void anAnswerThatIsNoneIsAFailure(String path, String message) {
    webhook.validating(server, path, "timeoutSeconds: 30");

    assertThat(server.refusal("metadata: {name: a}")).startsWith(FAILED).contains(message);
    assertThat(webhook.reviews()).as("asked once, and not elsewhere").hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/never", "/trickle"})
  void anAnswerThatDoesNotEndIsAFailure(String path) {
    webhook.validating(server, path, "timeoutSeconds: 1");

    assertThat(server.refusal("metadata: {name: a}"))
        .startsWith(FAILED)
        .endsWith(path + "?timeout=1s\": context deadline exceeded");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/text", "/large", "/elsewhere", "/never", "/trickle"})
  void aFailureCanBeIgnored(String path) {
    webhook.validating(server, path, "timeoutSeconds: 1\nfailurePolicy: Ignore");

    assertThat(server.refusal("metadata: {name: a}")).isEmpty();
  }

  @Test
  void aRefusalWithACodeThatIsNoneIsStillARefusal() {
    webhook.validating(server, "/deny-oddly", "");

    var answer = server.create("metadata: {name: a}");
    assertThat(answer.code()).isEqualTo(500);
    assertThat(PolicyServer.message(answer)).endsWith("denied the request: no way");
  }

  @Test
  void patchesThatCopyCopiesStayWithinBounds() {
    webhook.mutating(server, "/copies", "");

    assertThat(server.refusal("metadata: {name: a}\ndata: {a: %s}".formatted("x".repeat(1000))))
        .startsWith("Internal error occurred: copy operation does not apply");
  }

  @Test
  void aCertificateForSomebodyElseIsNotTrusted() throws Exception {
    try (var other = new TestWebhook(AUTHORITY, "other.example.com")) {
      other.validating(server, "/allow", "");

      assertThat(server.refusal("metadata: {name: a}"))
          .contains("tls: failed to verify certificate: x509: certificate is not valid for");
      assertThat(other.reviews()).isEmpty();
    }
  }
}
