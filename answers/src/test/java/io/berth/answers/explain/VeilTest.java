package io.berth.answers.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.answers.remedy.Suggestion;
import io.berth.answers.remedy.Suggestion.Target;
import org.junit.jupiter.api.Test;

class VeilTest {

  private static final String APART =
      """
      affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [
        {topologyKey: zone, namespaces: [shop], labelSelector: {matchLabels: {app: web}}}]}}
      """;
  private static final String ON_NODE_3 =
      "nodeSelector: {kubernetes.io/hostname: node-3}, terminationGracePeriodSeconds: 1";

  private final PodExplanation whole =
      new Scenery()
          .node("node-1", "a", "")
          .node("node-2", "b", "")
          .node("node-3", "c", "unschedulable: true")
          .pod("batch/etl-3", "node-1", "100m", APART)
          .pod("batch/big-0", "node-2", "4", "")
          .pod("shop/cache-1", "node-2", "0", "")
          .pod("shop/web-7", "", "2", "")
          .explain("shop/web-7");

  private final Sight ofShop = new Sight(namespace -> namespace.equals("shop"), true);

  @Test
  void strangersAreNotNamed() {
    assertThat(whole.toTree().toString()).contains("batch/etl-3", "batch/big-0");

    var seen = whole.seenBy(ofShop);

    assertThat(seen.toTree().toString()).doesNotContain("batch").doesNotContain("etl-3", "big-0");
    assertThat(seen.causes())
        .filteredOn(cause -> cause.rule().equals("InterPodAffinity"))
        .allSatisfy(cause -> {
          assertThat(cause.source()).hasToString("Source[kind=pod, name=a pod you may not see]");
          assertThat(cause.why()).isEqualTo("a pod you may not see keeps it away");
          assertThat(cause.blame()).containsExactly("a pod you may not see");
        });
  }

  @Test
  void whatIsCountedStays() {
    var seen = whole.seenBy(ofShop);

    assertThat(seen.message()).isEqualTo(whole.message());
    assertThat(seen.verdict()).isEqualTo(whole.verdict());
    assertThat(seen.causes())
        .extracting(Obstruction::first)
        .isEqualTo(whole.causes().stream().map(Obstruction::first).toList());
  }

  @Test
  void suggestionsThatNeedAHiddenNameAreLeftOut() {
    assertThat(whole.suggestions()).extracting(Suggestion::target).contains(Target.PODS);

    var seen = whole.seenBy(ofShop);

    assertThat(seen.suggestions()).extracting(Suggestion::target).doesNotContain(Target.PODS);
    assertThat(seen.suggestions()).isNotEmpty();
  }

  @Test
  void nodesAreNotNamedToWhoMayNotSeeThem() {
    var seen = whole.seenBy(new Sight(_ -> true, false));

    assertThat(seen.toTree().toString()).doesNotContain("node-1", "node-2", "node-3");
    assertThat(seen.causes()).allSatisfy(cause -> assertThat(cause.nodes()).hasSize(1));
    assertThat(seen.suggestions())
        .allSatisfy(each -> assertThat(each.lands()).isEqualTo("a node you may not see"));
  }

  @Test
  void aNodeInTheWordsOfASuggestionIsHiddenToo() {
    var pinned =
        new Scenery()
            .node("node-1", "a", "")
            .node("node-2", "b", "")
            .pod("shop/web-7", "", "2", ON_NODE_3)
            .explain("shop/web-7");
    assertThat(pinned.toTree().toString()).contains("kubernetes.io/hostname=node-1");

    var seen = pinned.seenBy(new Sight(_ -> true, false));

    assertThat(seen.toTree().toString()).doesNotContain("node-1", "node-2");
  }

  @Test
  void whoSeesAllSeesAll() {
    assertThat(whole.seenBy(Sight.ALL)).isEqualTo(whole);
  }
}
