package io.berth.engine;

import static io.berth.engine.World.asking;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.Quantity;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Taint;
import io.berth.engine.model.ClusterModel;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Some taints hold the time at which a node was chosen to go: each list of taints is new.
class TaintListsTest {

  @Test
  void forgetsTaintsThatNoNodeHas() {
    var cluster = new ClusterModel();
    for (int i = 0; i < 1_000; i++) {
      cluster.put(tainted("stays", "at-" + i, "PreferNoSchedule"));
      cluster.put(tainted("n" + i, "since-" + i, "NoSchedule"));
      cluster.remove(ObjectReference.node("n" + (i - 3)));
    }

    assertThat(cluster.nodes().taintListCount()).isLessThan(10);
    int last = cluster.nodes().find("n999");
    assertThat(cluster.nodes().taints(cluster.nodes().taintList(last)))
        .containsExactly(new Taint("going", "since-999", "NoSchedule"));
  }

  @Test
  void decidesByTheTaintsOfNow() {
    var engine = new Engine(SchedulerConfiguration.DEFAULT, 1);
    var pod = World.pod(asking("{'cpu':'1'}"));
    for (int i = 0; i < 12; i++) {
      boolean repels = i % 3 == 0;
      engine.put(tainted("a", "at-" + i, repels ? "NoSchedule" : "PreferNoSchedule"));

      assertThat(engine.decide(pod) instanceof Decision.Placed).as("step " + i).isEqualTo(!repels);
    }
  }

  private static Node tainted(String name, String value, String effect) {
    return new Node(
        name,
        Map.of(),
        false,
        List.of(new Taint("going", value, effect)),
        Map.of("cpu", Quantity.parse("4"), "pods", Quantity.parse("9")),
        List.of(),
        List.of());
  }
}
