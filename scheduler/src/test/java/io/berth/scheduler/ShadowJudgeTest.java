package io.berth.scheduler;

import static io.berth.scheduler.Samples.aNode;
import static io.berth.scheduler.Samples.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.engine.Engine;
import io.berth.scheduler.ArrivalOrder.Release;
import io.berth.scheduler.Comparison.Verdict;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two nodes of eight cpus; on `b` runs a pod, so `a` is the better one for the next.
class ShadowJudgeTest {

  private final Engine engine = new Engine(SchedulerConfiguration.DEFAULT, 1);
  private final ShadowJudge judge = new ShadowJudge(engine);
  private final Pod onB = aPod("settled", "").withNodeName("b");
  private final Pod pod = aPod("next", "");

  @BeforeEach
  void fill() {
    engine.put(aNode("a", "8"));
    engine.put(aNode("b", "8"));
    engine.put(onB);
  }

  private Verdict verdict(String node, List<Pod> overtakers, List<Pod> laggards) {
    return judge.compare(pod, new Release(pod.withNodeName(node), overtakers, laggards)).verdict();
  }

  @Test
  void aWorseNodeIsToldFromTheBest() {
    assertThat(verdict("a", List.of(), List.of())).isEqualTo(Verdict.SAME);
    assertThat(verdict("b", List.of(), List.of())).isEqualTo(Verdict.LOWER_SCORE);
    assertThat(verdict("c", List.of(), List.of())).isEqualTo(Verdict.DOES_NOT_FIT);
  }

  @Test
  void podsBoundBeforeAlthoughTheyCameLaterExplainIt() {
    var overtaker = aPod("quick", "").withNodeName("a");

    assertThat(verdict("b", List.of(overtaker), List.of())).isEqualTo(Verdict.OTHER_ORDER);
    assertThat(verdict("b", List.of(), List.of()))
        .as("is forgotten")
        .isEqualTo(Verdict.LOWER_SCORE);
  }

  @Test
  void podsBoundLaterAlthoughTheyCameBeforeExplainIt() {
    assertThat(verdict("b", List.of(), List.of(onB))).isEqualTo(Verdict.OTHER_ORDER);
    assertThat(verdict("b", List.of(), List.of())).as("is back").isEqualTo(Verdict.LOWER_SCORE);
  }

  @Test
  void podsThatMakeNoDifferenceExplainNothing() {
    var elsewhere = aPod("other", "").withNodeName("b");

    assertThat(verdict("b", List.of(elsewhere), List.of())).isEqualTo(Verdict.LOWER_SCORE);
    assertThat(verdict("c", List.of(elsewhere), List.of(onB))).isEqualTo(Verdict.DOES_NOT_FIT);
  }
}
