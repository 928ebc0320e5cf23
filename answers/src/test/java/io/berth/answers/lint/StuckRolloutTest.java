package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.deployment;
import static io.berth.answers.lint.Linted.term;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class StuckRolloutTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "every zone is taken",
              deployment("a", 2, "podAntiAffinity", term("a", "zone")) + NODES,
              List.of("warning 6")),
          new Case(
              "a zone is left",
              deployment("a", 1, "podAntiAffinity", term("a", "zone")) + NODES,
              List.of()),
          new Case(
              "all at once",
              deployment("a", 2, "podAntiAffinity", term("a", "zone"))
                      .replace("replicas:", "strategy: {type: Recreate}, replicas:")
                  + NODES,
              List.of()),
          new Case(
              "one may go first",
              deployment("a", 2, "podAntiAffinity", term("a", "zone"))
                      .replace(
                          "replicas:", "strategy: {rollingUpdate: {maxUnavailable: 1}}, replicas:")
                  + NODES,
              List.of()),
          new Case(
              "half of them may",
              deployment("a", 2, "podAntiAffinity", term("a", "zone"))
                      .replace(
                          "replicas:",
                          "strategy: {rollingUpdate: {maxUnavailable: 50%}}, replicas:")
                  + NODES,
              List.of()),
          new Case(
              "versions do not mind each other",
              deployment(
                      "a",
                      2,
                      "podAntiAffinity",
                      "{matchLabelKeys: [pod-template-hash], labelSelector: {matchLabels: {app:"
                          + " a}}, topologyKey: zone}")
                  + NODES,
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new StuckRollout(), c.text())).isEqualTo(c.expected());
  }
}
