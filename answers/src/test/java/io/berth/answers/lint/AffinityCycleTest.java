package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.deployment;
import static io.berth.answers.lint.Linted.term;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class AffinityCycleTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "two for each other",
              deployment("a", 1, "podAffinity", term("b", "zone"))
                  + "---\n"
                  + deployment("b", 1, "podAffinity", term("a", "zone")),
              List.of("error 6", "error 13")),
          new Case(
              "three in a ring",
              deployment("a", 1, "podAffinity", term("b", "zone"))
                  + "---\n"
                  + deployment("b", 1, "podAffinity", term("c", "zone"))
                  + "---\n"
                  + deployment("c", 1, "podAffinity", term("a", "zone"))
                  + NODES,
              List.of("error 6", "error 13", "error 20")),
          new Case(
              "one for itself",
              deployment("a", 1, "podAffinity", term("a", "zone")) + NODES,
              List.of()),
          new Case(
              "a chain",
              deployment("a", 1, "podAffinity", term("b", "zone"))
                  + "---\n"
                  + deployment("b", 1, "podAntiAffinity", term("b", "zone"))
                  + NODES,
              List.of()),
          new Case(
              "for itself and each other",
              deployment("a", 1, "podAffinity", term("a", "zone"), term("b", "zone"))
                  + "---\n"
                  + deployment("b", 1, "podAffinity", term("a", "zone"))
                  + NODES,
              List.of()),
          new Case(
              "nobody to wait for",
              deployment("a", 1, "podAffinity", term("b", "zone")) + NODES,
              List.of()),
          new Case(
              "one of them runs",
              deployment("a", 1, "podAffinity", term("b", "zone"))
                  + "---\n"
                  + deployment("b", 1, "podAffinity", term("a", "zone"))
                  + "---\n"
                  + "{apiVersion: v1, kind: Pod, metadata: {name: b-1, labels: {app: b}}, spec:"
                  + " {nodeName: n1, containers: [{name: c}]}}\n"
                  + NODES,
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new AffinityCycle(), c.text())).isEqualTo(c.expected());
  }
}
