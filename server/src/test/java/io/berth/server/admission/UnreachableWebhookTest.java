package io.berth.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.admission.AdmissionChain;
import io.berth.admission.webhook.Unreachable;
import io.berth.server.http.Answer;
import io.berth.server.identity.Authority;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Webhooks behind services: of this machine, or of pods in which nothing listens.
class UnreachableWebhookTest {

  private static final Authority AUTHORITY = Authority.open(null);
  private static final String NOBODY =
      "nothing listens behind service pt/hook, whose pods are simulated";

  private final List<String> skipped = new ArrayList<>();
  private final Unreachable skips =
      (configurations, webhook, _) ->
          skipped.add(configurations.kind() + " " + webhook.configuration());
  private PolicyServer server;
  private TestWebhook webhook;

  @BeforeEach
  void start() throws Exception {
    server = new PolicyServer(AdmissionChain.of(List.of(), List.of(), skips));
    webhook = new TestWebhook(AUTHORITY, "hook.pt.svc");
  }

  @AfterEach
  void stop() {
    webhook.close();
    server.close();
  }

  @Test
  void anExternalNameLeadsToAProcessOfThisMachine() {
    server.service("hook", "{type: ExternalName, externalName: localhost}");
    server.register(
        "validatingwebhookconfigurations", webhook.behind("hook", webhook.port(), "/deny"));

    assertThat(server.refusal("metadata: {name: a}")).endsWith("no way");
    assertThat(skipped).isEmpty();
  }

  @Test
  void whatNobodyAnswersForIsSkippedWithAWarning() {
    server.service("hook", "{selector: {app: hook}, ports: [{port: 443}]}");
    server.register("mutatingwebhookconfigurations", webhook.behind("hook", 443, "/label"));
    server.register("validatingwebhookconfigurations", webhook.behind("hook", 443, "/deny"));

    var answer = server.create("metadata: {name: a}");

    assertThat(answer.code()).isEqualTo(201);
    assertThat(warnings(answer))
        .hasSize(2)
        .allMatch(warning ->
            warning.startsWith("299 - \"admission webhook \\\"hook.example.com\\\" was skipped: ")
                && warning.contains(NOBODY));
    assertThat(skipped)
        .containsExactly(
            "MutatingWebhookConfiguration hooks", "ValidatingWebhookConfiguration hooks");
  }

  @Test
  void aServiceThatIsNotThereAndAPortThatIsClosedAreSkippedToo() {
    server.register("mutatingwebhookconfigurations", webhook.behind("gone", 443, "/label"));
    webhook.close();
    webhook.validating(server, "/deny", "");

    assertThat(server.refusal("metadata: {name: a}")).isEmpty();
    assertThat(skipped).hasSize(2);
  }

  @Test
  void whoAnswersBadlyOrIsNotWhoTheyShouldBeIsNotSkipped() {
    webhook.validating(server, "/error", "");
    assertThat(server.refusal("metadata: {name: a}")).contains("failed calling webhook");

    webhook.trustedBy(Authority.open(null)).mutating(server, "/label", "");
    assertThat(server.refusal("metadata: {name: a}")).contains("failed to verify certificate");
    assertThat(skipped).isEmpty();
  }

  @Test
  void withoutTheChoiceTheRequestFails() {
    try (var usual = new PolicyServer()) {
      usual.service("hook", "{selector: {app: hook}, ports: [{port: 443}]}");
      usual.register("validatingwebhookconfigurations", webhook.behind("hook", 443, "/allow"));

      assertThat(usual.refusal("metadata: {name: a}")).contains(NOBODY);
    }
  }

  private static List<String> warnings(Answer answer) {
    return answer.headers().stream()
        .filter(header -> header.getKey().equalsIgnoreCase("Warning"))
        .map(Map.Entry::getValue)
        .toList();
  }
}
