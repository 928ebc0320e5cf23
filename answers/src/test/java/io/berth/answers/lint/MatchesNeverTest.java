package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.pod;
import static io.berth.answers.lint.Linted.requiring;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class MatchesNeverTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case("a label that a node has", pod("nodeSelector: {disk: ssd}") + NODES, List.of()),
          new Case(
              "a value that no node has",
              pod("nodeSelector: {\nzone: a,\ndisk: nvme}") + NODES,
              List.of("error 5")),
          new Case(
              "two labels of different nodes",
              pod("nodeSelector: {zone: a, disk: hdd}") + NODES,
              List.of("error 3")),
          new Case(
              "an expression that none satisfies",
              requiring("{key: zone, operator: Exists},\n{key: disk, operator: In, values: [nvme]}")
                  + NODES,
              List.of("error 5")),
          new Case(
              "one of two terms matches",
              requiring(
                      "{key: disk, operator: In, values: [nvme]}",
                      "{key: zone, operator: In, values: [a]}")
                  + NODES,
              List.of()),
          new Case(
              "a taint is no label",
              pod("nodeSelector: {kubernetes.io/hostname: n3}") + NODES,
              List.of()),
          new Case("no nodes are known", pod("nodeSelector: {disk: nvme}"), List.of()),
          new Case(
              "it names its node",
              pod("nodeName: n1, nodeSelector: {disk: nvme}") + NODES,
              List.of()),
          new Case(
              "Gt beyond all",
              requiring("{key: gen, operator: Gt, values: [\"9\"]}") + NODES,
              List.of("error 4")));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new MatchesNever(), c.text())).isEqualTo(c.expected());
  }
}
