package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.deployment;
import static io.berth.answers.lint.Linted.pod;
import static io.berth.answers.lint.Linted.term;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class MissingTopologyKeyTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "a key that all have",
              deployment("a", 1, "podAntiAffinity", term("a", "zone")) + NODES,
              List.of()),
          new Case(
              "anti-affinity by a key nobody has",
              deployment("a", 1, "podAntiAffinity", term("a", "rack")) + NODES,
              List.of("warning 6")),
          new Case(
              "affinity by a key nobody has",
              deployment("a", 1, "podAffinity", term("a", "rack")) + NODES,
              List.of("error 6")),
          new Case(
              "a key that some lack",
              deployment("a", 1, "podAffinity", term("a", "disk")) + NODES,
              List.of("warning 6")),
          new Case(
              "those who lack it are not for the pod",
              pod(
                      "nodeSelector: {disk: ssd}, topologySpreadConstraints: [{maxSkew: 1,"
                          + " topologyKey: disk, whenUnsatisfiable: DoNotSchedule, labelSelector:"
                          + " {matchLabels: {app: p}}}]")
                  + NODES,
              List.of()),
          new Case(
              "hard spread",
              pod(
                      "topologySpreadConstraints: [{maxSkew: 1,\n"
                          + "topologyKey: rack, whenUnsatisfiable: DoNotSchedule, labelSelector:"
                          + " {matchLabels: {app: p}}}]")
                  + NODES,
              List.of("error 4")),
          new Case(
              "soft spread",
              pod(
                      "topologySpreadConstraints: [{maxSkew: 1,\n"
                          + "topologyKey: rack, whenUnsatisfiable: ScheduleAnyway, labelSelector:"
                          + " {matchLabels: {app: p}}}]")
                  + NODES,
              List.of("warning 4")),
          new Case(
              "no nodes are known",
              deployment("a", 1, "podAffinity", term("a", "rack")),
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new MissingTopologyKey(), c.text())).isEqualTo(c.expected());
  }
}
