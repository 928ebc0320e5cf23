package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.deployment;
import static io.berth.answers.lint.Linted.term;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SelectsNothingTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "a pod of that label",
              deployment("a", 1, "podAffinity", term("b", "zone"))
                  + "---\n"
                  + deployment("b", 1, "podAntiAffinity", term("b", "zone")),
              List.of()),
          new Case(
              "no such pod",
              deployment("a", 1, "podAffinity", term("b", "zone")),
              List.of("warning 6")),
          new Case("itself", deployment("a", 1, "podAffinity", term("a", "zone")), List.of()),
          new Case(
              "another namespace, of which nothing was read",
              deployment(
                  "a",
                  1,
                  "podAffinity",
                  "{namespaces: [x], labelSelector: {matchLabels: {app: b}}, topologyKey: zone}"),
              List.of()),
          new Case(
              "no selector",
              deployment("a", 1, "podAntiAffinity", "{topologyKey: zone}"),
              List.of("warning 6")));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new SelectsNothing(), c.text())).isEqualTo(c.expected());
  }
}
