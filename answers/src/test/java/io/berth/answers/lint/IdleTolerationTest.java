package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class IdleTolerationTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "a taint that a node has",
              pod("tolerations: [{key: gpu, operator: Exists}]") + NODES,
              List.of()),
          new Case(
              "another value",
              pod(
                      "tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists},\n"
                          + "{key: gpu, value: \"no\", effect: NoSchedule}]")
                  + NODES,
              List.of("warning 4")),
          new Case(
              "a key that no node has",
              pod("tolerations: [{key: spot, operator: Exists}]") + NODES,
              List.of("warning 3")),
          new Case("everything", pod("tolerations: [{operator: Exists}]") + NODES, List.of()),
          new Case(
              "no nodes are known",
              pod("tolerations: [{key: spot, operator: Exists}]"),
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new IdleToleration(), c.text())).isEqualTo(c.expected());
  }
}
