package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.requiring;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class OpenAlternativesTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "two exclusions as two terms",
              requiring(
                      "{key: zone, operator: NotIn, values: [a]}",
                      "{key: disk, operator: NotIn, values: [hdd]}")
                  + NODES,
              List.of("warning 5")),
          new Case(
              "without nodes",
              requiring(
                  "{key: zone, operator: NotIn, values: [a]}",
                  "{key: disk, operator: NotIn, values: [hdd]}"),
              List.of("warning 5")),
          new Case(
              "in one term",
              requiring(
                      "{key: zone, operator: NotIn, values: [a]},{key: disk, operator: NotIn,"
                          + " values: [hdd]}")
                  + NODES,
              List.of()),
          new Case(
              "a node is kept out after all",
              requiring(
                      "{key: zone, operator: NotIn, values: [a, b]}",
                      "{key: disk, operator: DoesNotExist}")
                  + NODES,
              List.of()),
          new Case(
              "a positive alternative",
              requiring(
                      "{key: zone, operator: NotIn, values: [a]}",
                      "{key: disk, operator: In, values: [ssd]}")
                  + NODES,
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new OpenAlternatives(), c.text())).isEqualTo(c.expected());
  }
}
