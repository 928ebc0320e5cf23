package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.pod;
import static io.berth.answers.lint.Linted.requiring;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class NoIntegerTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "a fraction",
              requiring("{key: gen, operator: Gt,\nvalues: [\"1.5\"]}"),
              List.of("error 5")),
          new Case(
              "a word beside an alternative",
              requiring(
                  "{key: gen, operator: Lt, values: [many]}", "{key: zone, operator: Exists}"),
              List.of("warning 4")),
          new Case(
              "two values",
              requiring("{key: gen, operator: Gt, values: [\"1\", \"2\"]}"),
              List.of("error 4")),
          new Case(
              "a whole number", requiring("{key: gen, operator: Gt, values: [\"1\"]}"), List.of()),
          new Case(
              "below zero is no label value",
              requiring("{key: gen, operator: Gt, values: [\"-1\"]}"),
              List.of("error 4")),
          new Case(
              "preferred: with one node nobody looks",
              pod(
                      "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                          + " [\n"
                          + "{weight: 1, preference: {matchExpressions: [{key: gen, operator: Gt,"
                          + " values: [x]}]}}]}}")
                  + NODES,
              List.of("warning 4")),
          new Case(
              "preferred, without nodes",
              pod(
                  "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [\n"
                      + "{weight: 1, preference: {matchExpressions: [{key: gen, operator: Gt,"
                      + " values: [x]}]}}]}}"),
              List.of("warning 4")));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new NoInteger(), c.text())).isEqualTo(c.expected());
  }
}
