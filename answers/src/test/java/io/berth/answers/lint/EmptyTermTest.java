package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.pod;
import static io.berth.answers.lint.Linted.requiring;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class EmptyTermTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case("the only term", requiring(""), List.of("error 4")),
          new Case(
              "beside another",
              requiring("{key: zone, operator: Exists}", ""),
              List.of("warning 5")),
          new Case(
              "no terms at all",
              pod(
                  "affinity: {nodeAffinity: {\n"
                      + "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                      + " []}}}"),
              List.of("error 4")),
          new Case(
              "an empty preference",
              pod(
                  "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [\n"
                      + "{weight: 1, preference: {}}]}}"),
              List.of("warning 4")),
          new Case("no affinity", pod("affinity: {}") + NODES, List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new EmptyTerm(), c.text())).isEqualTo(c.expected());
  }
}
