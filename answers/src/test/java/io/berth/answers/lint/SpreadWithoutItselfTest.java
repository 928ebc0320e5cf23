package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SpreadWithoutItselfTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "its own label",
              pod(
                  "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                      + " DoNotSchedule, labelSelector: {matchLabels: {app: p}}}]"),
              List.of()),
          new Case(
              "somebody else's",
              pod(
                  "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                      + " DoNotSchedule,\n"
                      + "labelSelector: {matchLabels: {app: q}}}]"),
              List.of("warning 4")),
          new Case(
              "none",
              pod(
                  "topologySpreadConstraints: [\n"
                      + "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]"),
              List.of("warning 4")),
          new Case(
              "an empty one",
              pod(
                  "topologySpreadConstraints: [\n"
                      + "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,"
                      + " labelSelector: {}}]"),
              List.of("warning 4")),
          new Case(
              "a label that a controller adds",
              pod(
                  "topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                      + " DoNotSchedule, labelSelector: {matchExpressions: [{key:"
                      + " pod-template-hash, operator: Exists}]}}]"),
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new SpreadWithoutItself(), c.text())).isEqualTo(c.expected());
  }
}
