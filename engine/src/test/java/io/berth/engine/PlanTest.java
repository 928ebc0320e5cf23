package io.berth.engine;

import static io.berth.engine.World.asking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.api.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

  private static final String NODE = "{'cpu':'2','memory':'8Gi','pods':'9'}";

  private final World world = new World().node("a", NODE, "{}").node("b", NODE, "{}");
  private final Engine engine = world.engine;

  private static Pod pod(String name) {
    return World.pod(name, "{'app':'gang'}", asking("{'cpu':'1500m'}"));
  }

  @Test
  void placesAllOrNone() {
    try (var plan = engine.plan()) {
      var decisions = plan.placeAll(List.of(pod("1"), pod("2"), pod("3")));

      assertThat(decisions).hasSize(3);
      assertThat(decisions.getLast()).isInstanceOf(Decision.Unschedulable.class);
      assertThat(plan.placeAll(List.of(pod("1"), pod("2")))).allMatch(PlanTest::isPlaced);
      plan.commit();
    }

    assertThat(engine.decide(pod("3"))).isInstanceOf(Decision.Unschedulable.class);
  }

  private static boolean isPlaced(Decision decision) {
    return decision instanceof Decision.Placed;
  }

  @Test
  void leavesNothingBehindWithoutCommit() {
    world.pods("a", 1, "{'app':'old'}", asking("{'cpu':'1'}"));
    var probe = pod("probe");
    var before = HistoryTest.text(engine.examine(probe));

    try (var plan = engine.plan()) {
      assertThat(plan.evict("default", "no-such-pod")).isFalse();
      var old = "a-" + "{'app':'old'}".hashCode() + "-0";
      assertThat(plan.evict("default", old)).isTrue();
      plan.place(pod("1"), "a");
      plan.place(pod("1"), "b");
    }

    assertThat(HistoryTest.text(engine.examine(probe))).isEqualTo(before);
  }

  @Test
  void rollsBackToACheckpoint() {
    try (var plan = engine.plan()) {
      plan.place(pod("1"), "a");
      int mark = plan.checkpoint();
      plan.place(pod("2"), "b");
      assertThat(plan.decide(pod("3"))).isInstanceOf(Decision.Unschedulable.class);

      plan.rollback(mark);

      assertThat(plan.decide(pod("3"))).isEqualTo(new Decision.Placed("b", 1));
    }
  }

  @Test
  void isOneAtATime() {
    var plan = engine.plan();

    assertThatThrownBy(engine::plan).isInstanceOf(IllegalStateException.class);
    plan.close();
    assertThatThrownBy(plan::checkpoint).isInstanceOf(IllegalStateException.class);
    engine.plan().close();
  }
}
