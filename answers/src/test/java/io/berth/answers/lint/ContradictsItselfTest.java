package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.deployment;
import static io.berth.answers.lint.Linted.pod;
import static io.berth.answers.lint.Linted.requiring;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ContradictsItselfTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "values that exclude each other",
              requiring(
                  "{key: disk, operator: In, values: [ssd]},\n"
                      + "{key: disk, operator: In, values: [hdd]}"),
              List.of("error 5")),
          new Case(
              "there and not there",
              requiring("{key: disk, operator: Exists},\n{key: disk, operator: DoesNotExist}"),
              List.of("error 5")),
          new Case(
              "bounds without a number between",
              requiring(
                  "{key: gen, operator: Gt, values: [\"5\"]},\n"
                      + "{key: gen, operator: Lt, values: [\"6\"]}"),
              List.of("error 5")),
          new Case(
              "bounds with a number between",
              requiring(
                  "{key: gen, operator: Gt, values: [\"5\"]},{key: gen, operator: Lt, values:"
                      + " [\"7\"]}"),
              List.of()),
          new Case(
              "bounds whose only number is excluded",
              requiring(
                  """
                  {key: gen, operator: Gt, values: ["5"]},
                  {key: gen, operator: Lt, values: ["7"]},
                  {key: gen, operator: NotIn, values: ["6"]}\
                  """),
              List.of("error 6")),
          new Case(
              "NotIn alone", requiring("{key: disk, operator: NotIn, values: [ssd]}"), List.of()),
          new Case(
              "an alternative is left",
              requiring(
                  "{key: disk, operator: In, values: [a]},{key: disk, operator: In, values: [b]}",
                  "{key: zone, operator: Exists}"),
              List.of("warning 4")),
          new Case(
              "the node selector and a term",
              pod(
                  "nodeSelector: {disk: ssd}, affinity: {nodeAffinity:"
                      + " {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [\n"
                      + "{matchExpressions: [{key: disk, operator: In, values: [hdd]}]}]}}}"),
              List.of("error 4")),
          new Case(
              "a selector of pods",
              deployment(
                  "a",
                  1,
                  "podAffinity",
                  "{labelSelector: {matchLabels: {app: a}, matchExpressions: [{key: app, operator:"
                      + " NotIn, values: [a]}]}, topologyKey: zone}"),
              List.of("error 6")),
          new Case(
              "of anti-affinity it is harmless",
              deployment(
                  "a",
                  1,
                  "podAntiAffinity",
                  "{labelSelector: {matchLabels: {app: a}, matchExpressions: [{key: app, operator:"
                      + " NotIn, values: [a]}]}, topologyKey: zone}"),
              List.of("warning 6")),
          new Case(
              "near and far",
              pod(
                      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                          + " [{labelSelector: {matchLabels: {app: x}}, topologyKey: zone}]},\n"
                          + "podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [\n"
                          + "{labelSelector: {matchLabels: {app: x}}, topologyKey: zone}]}}")
                  + NODES,
              List.of("error 5")),
          new Case(
              "near by zone and far by host",
              pod(
                      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                          + " [{labelSelector: {matchLabels: {app: x}}, topologyKey: zone}]},"
                          + " podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                          + " [{labelSelector: {matchLabels: {app: x}}, topologyKey:"
                          + " kubernetes.io/hostname}]}}")
                  + NODES,
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new ContradictsItself(), c.text())).isEqualTo(c.expected());
  }
}
