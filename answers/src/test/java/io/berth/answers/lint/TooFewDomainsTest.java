package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.deployment;
import static io.berth.answers.lint.Linted.term;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class TooFewDomainsTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "as many as zones",
              deployment("a", 2, "podAntiAffinity", term("a", "zone")) + NODES,
              List.of()),
          new Case(
              "one too many",
              deployment("a", 3, "podAntiAffinity", term("a", "zone")) + NODES,
              List.of("error 6")),
          new Case(
              "a tainted node does not count",
              deployment("a", 3, "podAntiAffinity", term("a", "kubernetes.io/hostname")) + NODES,
              List.of("error 6")),
          new Case(
              "nodes without the key take any number",
              deployment("a", 9, "podAntiAffinity", term("a", "disk"))
                      .replace("containers:", "tolerations: [{operator: Exists}], containers:")
                  + NODES,
              List.of("warning 6")),
          new Case(
              "apart from others only",
              deployment("a", 3, "podAntiAffinity", term("b", "zone")) + NODES,
              List.of()),
          new Case(
              "no nodes are known",
              deployment("a", 3, "podAntiAffinity", term("a", "zone")),
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new TooFewDomains(), c.text())).isEqualTo(c.expected());
  }
}
