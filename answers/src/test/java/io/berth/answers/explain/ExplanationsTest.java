package io.berth.answers.explain;

import static io.berth.answers.explain.Outlook.BOUND;
import static io.berth.answers.explain.Outlook.FITS;
import static io.berth.answers.explain.Outlook.GATED;
import static io.berth.answers.explain.Outlook.NEVER;
import static io.berth.answers.explain.Outlook.NOT_NOW;
import static io.berth.answers.explain.Outlook.UNSERVED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.answers.remedy.Suggestion;
import io.berth.answers.remedy.Suggestion.Target;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ExplanationsTest {

  private static final String GPU = "taints: [{key: gpu, value: 'true', effect: NoSchedule}]";
  private static final String APART =
      """
      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
        {topologyKey: zone, namespaces: [shop], labelSelector: {matchLabels: {app: web}}}]}}
      """;

  private static final String BETTER_IN_B =
      """
      affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
        {weight: 100, preference: {matchExpressions: [{key: zone, operator: In, values: [b]}]}}]}}
      """;

  private final Scenery shop =
      new Scenery()
          .node("node-1", "a", "")
          .node("node-2", "b", "")
          .node("node-3", "a", "")
          .node("node-4", "b", GPU + ", unschedulable: true")
          .node("node-5", "b", "")
          .node("node-6", "b", GPU)
          .pod("shop/cache-0", "node-2", "2500m", "")
          .pod("shop/cache-1", "node-5", "3", "")
          .pod("batch/etl-3", "node-1", "100m", APART)
          .pod("shop/web-7", "", "2", "");

  @Test
  void namesRuleTermPodsAndNodes() {
    var answer = shop.explain("shop/web-7");

    assertThat(answer.verdict()).isEqualTo(NOT_NOW);
    assertThat(answer.causes())
        .extracting(Obstruction::rule, Obstruction::first, Obstruction::nodes, Obstruction::blame)
        .containsExactly(
            tuple("NodeUnschedulable", 1, List.of("node-4"), List.of()),
            tuple("TaintToleration", 1, List.of("node-4", "node-6"), List.of()),
            tuple("NodeResourcesFit", 1, List.of("node-2"), List.of("shop/cache-0")),
            tuple("NodeResourcesFit", 1, List.of("node-5"), List.of("shop/cache-1")),
            tuple("InterPodAffinity", 2, List.of("node-1", "node-3"), List.of("batch/etl-3")));
    assertThat(answer.causes().getLast().source())
        .isEqualTo(new Obstruction.Source("pod", "batch/etl-3"));
    assertThat(answer.causes().getLast().field()).endsWith("[0]");
  }

  @Test
  void suggestsTheLargestRequestTheTolerationTheEvictionsAndTheTaint() {
    var answer = shop.explain("shop/web-7");

    assertThat(answer.suggestions())
        .extracting(Suggestion::target, Suggestion::what, Suggestion::lands)
        .contains(
            tuple(Target.POD, "cpu 1500m", "node-2"),
            tuple(Target.POD, "tolerate gpu=true:NoSchedule", "node-6"),
            tuple(Target.PODS, "evict shop/cache-0 for good", "node-2"),
            tuple(Target.NODE, "remove taint gpu=true:NoSchedule from node-6", "node-6"));
    assertThat(new ExplanationText(answer).headline())
        .isEqualTo(
            "shop/web-7 fits on none of 6 nodes. Not now: it would fit on node-1 without batch/etl-3.");
  }

  @Test
  void evictsNobodyWhoComesBackFirst() {
    var answer =
        new Scenery()
            .node("node-1", "a", "")
            .pod("shop/cache-0", "node-1", "3", "")
            .ownedBy("StatefulSet", "cache")
            .pod("shop/web-7", "", "2", "")
            .explain("shop/web-7");

    assertThat(answer.opening()).isNotNull();
    assertThat(answer.suggestions())
        .extracting(Suggestion::target)
        .isNotEmpty()
        .doesNotContain(Target.PODS);
  }

  @Test
  void evictsWhatFindsRoomElsewhere() {
    var answer =
        new Scenery()
            .node("node-1", "a", "")
            .node("node-2", "b", "")
            .pod("shop/cache-0", "node-1", "2", BETTER_IN_B)
            .ownedBy("StatefulSet", "cache")
            .pod("shop/big-0", "node-2", "2", "")
            .pod("shop/web-7", "", "4", "")
            .explain("shop/web-7");

    assertThat(answer.suggestions())
        .filteredOn(each -> each.target() == Target.PODS)
        .extracting(Suggestion::what, Suggestion::lands)
        .containsExactly(
            tuple("evict shop/cache-0", "node-1"), tuple("evict shop/big-0 for good", "node-2"));
  }

  @Test
  void looksForPairsWhereNothingAloneHelps() {
    var answer =
        new Scenery()
            .node("node-1", "a", GPU)
            .pod("shop/web-7", "", "1", "nodeSelector: {zone: b}")
            .explain("shop/web-7");

    assertThat(answer.verdict()).isEqualTo(NEVER);
    assertThat(answer.suggestions()).extracting(Suggestion::size).containsOnly(2);
    assertThat(answer.suggestions())
        .extracting(Suggestion::what)
        .contains("tolerate gpu=true:NoSchedule and only prefer zone=b");
  }

  record Case(String name, Scenery scenery, Outlook expected) {}

  private static final String COMPANY =
      """
      affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
        {topologyKey: zone, labelSelector: {matchLabels: {app: db}}}]}}
      """;

  private static final String BOTH =
      """
      affinity: {
        podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
          {topologyKey: zone, labelSelector: {matchLabels: {app: db}}}]},
        podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
          {topologyKey: zone, labelSelector: {matchLabels: {app: db}}}]}}
      """;

  static final List<Case> CASES =
      List.of(
          new Case("room", web("1", ""), FITS),
          new Case("gates", web("1", "schedulingGates: [{name: wait}]"), GATED),
          new Case("another scheduler", web("1", "schedulerName: other"), UNSERVED),
          new Case("on a node", web("1", "nodeName: node-1"), BOUND),
          new Case("larger than any node", web("5", ""), NEVER),
          new Case("no such label", web("1", "nodeSelector: {zone: z}"), NEVER),
          new Case("company that may come", web("1", COMPANY), NOT_NOW),
          new Case("company, but no room ever", web("5", COMPANY), NEVER),
          new Case("company it cannot stand", web("1", BOTH), NEVER),
          new Case(
              "a claim whose volume is of no node",
              web("1", "volumes: [{name: v, persistentVolumeClaim: {claimName: none}}]"),
              NEVER),
          new Case(
              "a node that is not ready",
              new Scenery()
                  .node(
                      "node-1",
                      "a",
                      "taints: [{key: node.kubernetes.io/not-ready, effect: NoSchedule}]")
                  .pod("shop/web-7", "", "1", ""),
              NOT_NOW));

  private static Scenery web(String cpu, String spec) {
    return new Scenery().node("node-1", "a", "").pod("shop/web-7", "", cpu, spec);
  }

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void tellsHowItStands(Case c) {
    assertThat(c.scenery().explain("shop/web-7").verdict()).isEqualTo(c.expected());
  }
}
