package io.berth.engine;

import static io.berth.engine.World.asking;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Pods that differ only in a label that nobody looks at share what is kept for them, until
/// somebody does.
class SharedViewsTest {

  private static final String ROOM = "{'cpu':'4','memory':'8Gi','pods':'9'}";
  private static final Pod WEB = World.pod("web", "{'role':'web'}", asking("{'cpu':'1'}"));
  private static final Pod DB = World.pod("db", "{'role':'db'}", asking("{'cpu':'1'}"));

  @Test
  void aNewSelectorTellsThemApartWhicheverCameFirst() {
    for (var first : List.of(WEB, DB)) {
      var world = new World();
      world.node("a", ROOM, "{'kubernetes.io/hostname':'a'}");
      world.node("b", ROOM, "{'kubernetes.io/hostname':'b'}");
      var second = first.equals(WEB) ? DB : WEB;
      assertThat(feasible(world, first)).isEqualTo(2);
      assertThat(feasible(world, second)).isEqualTo(2);

      world.engine.put(unfriendlyToWeb().withNodeName("a"));

      assertThat(feasible(world, WEB)).as("web, after %s", first.name()).isEqualTo(1);
      assertThat(feasible(world, DB)).as("db, after %s", first.name()).isEqualTo(2);
    }
  }

  private static int feasible(World world, Pod pod) {
    return ((Decision.Placed) world.engine.decide(pod)).feasible();
  }

  private static Pod unfriendlyToWeb() {
    return World.pod(
        "unfriendly",
        "{}",
        "{'containers':[{'name':'c','image':'none'}],'affinity':{'podAntiAffinity':"
            + "{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':"
            + "'kubernetes.io/hostname','labelSelector':{'matchLabels':{'role':'web'}}}]}}}");
  }
}
