package io.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.LabelSelector;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodSpec;
import io.berth.api.Requirement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an API server would have refused must neither throw out of the engine nor spoil the model.
class BadInputTest {

  private static final String NODE = "{'cpu':'4','memory':'8Gi','pods':'9'}";

  private final World world =
      new World().node("a", NODE, "{'zone':'x'}").node("b", NODE, "{'zone':'y'}");
  private final Engine engine = world.engine;

  @Test
  void survivesAbsurdAmounts() {
    for (var amount : List.of("-1", "9223372036854775807", "1e30", "1e-30", "-9E", "1n")) {
      var spec = World.asking("{'cpu':'%s','memory':'%s'}".formatted(amount, amount));
      decideAndRun(World.pod("absurd", "{}", spec));
    }

    checkIntact();
  }

  @Test
  void survivesTenThousandTerms() {
    var terms = new ArrayList<PodAffinityTerm>();
    for (int i = 0; i < 10_000; i++) {
      var selector = new LabelSelector(java.util.Map.of("k" + i, "v"), List.of());
      terms.add(new PodAffinityTerm(selector, List.of(), null, "zone"));
    }

    decideAndRun(withTerms(terms));

    checkIntact();
  }

  @Test
  void survivesSelectorsNobodyUnderstands() {
    for (var operator : List.of("", "Gt", "Near", "in")) {
      var selector =
          new LabelSelector(
              java.util.Map.of(), List.of(new Requirement("", operator, List.of("", "\0"))));
      var pod = withTerms(List.of(new PodAffinityTerm(selector, List.of(""), selector, "")));

      assertThat(engine.decide(pod).toString()).contains("parsing pod: ");
      decideAndRun(pod);
    }

    checkIntact();
  }

  @Test
  void survivesAMegabyteOfLabels() {
    var labels = new HashMap<String, String>();
    for (int i = 0; i < 16_000; i++) {
      labels.put("key-with-some-length-" + i, "value-with-some-length-as-well-" + i);
    }

    decideAndRun(plain().withLabels(labels));

    checkIntact();
  }

  @Test
  void survivesTimesOutsideOfTime() {
    for (var time : List.of(Instant.MIN, Instant.MAX)) {
      var pod = plain();
      decideAndRun(pod.withStatus(pod.status().withStartTime(time)));
    }

    checkIntact();
  }

  private static Pod plain() {
    return World.pod("bad", "{}", World.asking("{}"));
  }

  private static Pod withTerms(List<PodAffinityTerm> terms) {
    var pod = plain();
    var s = pod.spec();
    return pod.withSpec(
        new PodSpec(
            s.initContainers(),
            s.containers(),
            s.overhead(),
            s.podRequests(),
            s.nodeSelector(),
            s.nodeAffinity(),
            PodAffinity.NONE,
            new PodAffinity(terms, List.of()),
            s.tolerations(),
            s.topologySpreadConstraints(),
            s.priority(),
            s.neverPreempts(),
            s.schedulerName(),
            s.schedulingGates(),
            s.volumes(),
            s.resourceClaims(),
            s.features()));
  }

  private void decideAndRun(Pod pod) {
    assertThat(engine.decide(pod).toString()).doesNotContain("a rule broke");
    engine.examine(pod);
    engine.put(pod.withNodeName("a"));
    engine.nominate(pod, "b");
    assertThat(engine.decide(plain().withName("other")).toString()).doesNotContain("a rule broke");
    engine.unnominate(pod.namespace(), pod.name());
    engine.remove(pod.reference());
  }

  private void checkIntact() {
    var fresh = new World().node("a", NODE, "{'zone':'x'}").node("b", NODE, "{'zone':'y'}").engine;
    var probe = World.pod("probe", "{'app':'a'}", World.asking("{'cpu':'1'}"));

    assertThat(HistoryTest.text(engine.examine(probe)))
        .isEqualTo(HistoryTest.text(fresh.examine(probe)));
    assertThat(engine.decide(probe)).isEqualTo(fresh.decide(probe));
  }
}
