package io.berth.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.server.identity.Authority;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A server asks webhooks over HTTPS. The messages were compared with kube-apiserver 1.37.1.
class WebhookTest {

  private static final Authority AUTHORITY = Authority.open(null);

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

  private void validating(String path, String more) {
    webhook.validating(server, path, more);
  }

  private void mutating(String path, String more) {
    webhook.mutating(server, path, more);
  }

  @Test
  void theWebhookSeesTheRequest() {
    validating("/allow", "");

    assertThat(server.refusal("metadata: {name: a}\ndata: {x: y}")).isEmpty();
    var request = webhook.reviews().getFirst().treeOrEmpty("request");
    assertThat(request.textOrEmpty("operation")).isEqualTo("CREATE");
    assertThat(request.textOrEmpty("resource", "resource")).isEqualTo("configmaps");
    assertThat(request.textOrEmpty("namespace")).isEqualTo("pt");
    assertThat(request.textOrEmpty("userInfo", "username")).isEqualTo("root");
    assertThat(request.texts("object", "data")).isEqualTo(Map.of("x", "y"));
    assertThat(request.get("oldObject")).isNull();
  }

  @Test
  void whatItDoesNotAllowIsRefused() {
    validating("/deny", "");

    var answer = server.create("metadata: {name: a}");
    assertThat(answer.code()).isEqualTo(403);
    assertThat(PolicyServer.message(answer))
        .isEqualTo("admission webhook \"hook.example.com\" denied the request: no way");
  }

  @Test
  void aRefusalNeedsNoReason() {
    validating("/silent", "");

    assertThat(server.refusal("metadata: {name: a}"))
        .isEqualTo("admission webhook \"hook.example.com\" denied the request without explanation");
  }

  @Test
  void anAnswerToSomethingElseIsNone() {
    validating("/other", "");

    assertThat(server.refusal("metadata: {name: a}"))
        .startsWith(
            "Internal error occurred: failed calling webhook \"hook.example.com\": received invalid"
                + " webhook response: expected response.uid=")
        .endsWith("got \"other\"");
  }

  @Test
  void aWebhookThatCannotBeAskedDecidesAsItsFailurePolicySays() {
    webhook.close();
    validating("/allow", "");
    assertThat(server.refusal("metadata: {name: a}"))
        .contains("failed calling webhook \"hook.example.com\": failed to call webhook: Post \"")
        .endsWith("connect: connection refused");

    mutating("/allow", "failurePolicy: Ignore");
    assertThat(server.refusal("metadata: {name: a}")).contains("failed calling webhook");
  }

  @Test
  void anAuthorityThatDidNotSignIsNotTrusted() {
    webhook.trustedBy(Authority.open(null)).validating(server, "/allow", "");

    assertThat(server.refusal("metadata: {name: a}"))
        .contains("tls: failed to verify certificate: x509: ");
    assertThat(webhook.reviews()).isEmpty();
  }

  @Test
  void matchConditionsKeepRequestsAway() {
    validating(
        "/deny", "matchConditions: [{name: c, expression: \"object.metadata.name == 'b'\"}]");

    assertThat(server.refusal("metadata: {name: a}")).isEmpty();
    assertThat(server.refusal("metadata: {name: b}")).endsWith("no way");
  }

  @Test
  void aPatchChangesTheObject() {
    mutating("/label", "");

    assertThat(server.created("metadata: {name: a}").texts("data")).isEqualTo(Map.of("a", "b"));
  }

  @Test
  void deletionsAreShownWithTheOldObject() {
    server.create("metadata: {name: a}\ndata: {x: y}");
    validating("/deny", "");

    assertThat(PolicyServer.message(server.delete("a"))).endsWith("no way");
    var request = webhook.reviews().getFirst().treeOrEmpty("request");
    assertThat(request.textOrEmpty("operation")).isEqualTo("DELETE");
    assertThat(request.texts("oldObject", "data")).isEqualTo(Map.of("x", "y"));
  }

  @Test
  void aWebhookIsToldOfADryRun() {
    validating("/deny", "");
    assertThat(PolicyServer.message(server.createDry("metadata: {name: a}"))).endsWith("no way");
    assertThat(webhook.reviews().getFirst().flag("request", "dryRun")).isTrue();
  }

  @Test
  void selectorsOfObjectsAndNamespacesKeepRequestsAway() {
    validating("/deny", "objectSelector: {matchLabels: {watched: 'yes'}}");

    assertThat(server.refusal("metadata: {name: a}")).isEmpty();
    assertThat(server.refusal("metadata: {name: b, labels: {watched: 'yes'}}")).endsWith("no way");
  }

  @Test
  void otherNamespacesAreLeftAlone() {
    validating("/deny", "namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}");

    assertThat(server.refusal("metadata: {name: a}")).isEmpty();
    assertThat(webhook.reviews()).isEmpty();
  }

  @Test
  void aConditionThatCannotBeJudgedIsAFailure() {
    validating("/allow", "matchConditions: [{name: c, expression: \"object.data.x == 'b'\"}]");

    assertThat(server.refusal("metadata: {name: a}")).contains("no such key");
    assertThat(webhook.reviews()).isEmpty();
  }

  @Test
  void aConditionThatCannotBeJudgedCanBeIgnored() {
    validating(
        "/deny",
        "failurePolicy: Ignore\n"
            + "matchConditions: [{name: c, expression: \"object.data.x == 'b'\"}]");

    assertThat(server.refusal("metadata: {name: a}")).isEmpty();
    assertThat(webhook.reviews()).isEmpty();
  }
}
