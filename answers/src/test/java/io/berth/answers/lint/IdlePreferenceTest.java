package io.berth.answers.lint;

import static io.berth.answers.lint.Linted.NODES;
import static io.berth.answers.lint.Linted.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class IdlePreferenceTest {

  record Case(String name, String text, List<String> expected) {}

  static final List<Case> CASES =
      List.of(
          new Case(
              "some nodes are preferred",
              pod(
                      "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                          + " [{weight: 1, preference: {matchExpressions: [{key: disk, operator:"
                          + " In, values: [ssd]}]}}]}}")
                  + NODES,
              List.of()),
          new Case(
              "none is",
              pod(
                      "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                          + " [\n"
                          + "{weight: 1, preference: {matchExpressions: [{key: disk, operator: In,"
                          + " values: [nvme]}]}}]}}")
                  + NODES,
              List.of("warning 4")),
          new Case(
              "all are",
              pod(
                      "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                          + " [\n"
                          + "{weight: 1, preference: {matchExpressions: [{key: zone, operator:"
                          + " Exists}]}}]}}")
                  + NODES,
              List.of("warning 4")),
          new Case(
              "all that are left are",
              pod(
                      "nodeSelector: {zone: b}, affinity: {nodeAffinity:"
                          + " {preferredDuringSchedulingIgnoredDuringExecution: [\n"
                          + "{weight: 1, preference: {matchExpressions: [{key: zone, operator: In,"
                          + " values: [b]}]}}]}}")
                  + NODES,
              List.of("warning 4")),
          new Case(
              "soft spread in one domain",
              pod(
                      "nodeSelector: {zone: b}, topologySpreadConstraints: [\n"
                          + "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway,"
                          + " labelSelector: {matchLabels: {app: p}}}]")
                  + NODES,
              List.of("warning 4")),
          new Case(
              "no nodes are known",
              pod(
                  "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                      + " [{weight: 1, preference: {matchExpressions: [{key: disk, operator: In,"
                      + " values: [nvme]}]}}]}}"),
              List.of()));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void finds(Case c) {
    assertThat(Linted.by(new IdlePreference(), c.text())).isEqualTo(c.expected());
  }
}
