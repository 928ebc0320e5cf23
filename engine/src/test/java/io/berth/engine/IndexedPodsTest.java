package io.berth.engine;

import static io.berth.engine.World.asking;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import org.junit.jupiter.api.Test;

/// Pods that differ only in a label nobody looks at are decided alike, until somebody does.
class IndexedPodsTest {

  private static final String NODE = "{'cpu':'8','memory':'8Gi','pods':'99'}";

  private final World world =
      new World().node("a", NODE, "{'zone':'x'}").node("b", NODE, "{'zone':'y'}");
  private final Engine engine = world.engine;

  private static Pod pod(int index) {
    return World.pod(
        "job-" + index, "{'app':'job','index':'%d'}".formatted(index), asking("{'cpu':'1'}"));
  }

  @Test
  void followsASelectorThatComesLater() {
    for (int index = 0; index < 4; index++) {
      place(index);
    }

    engine.put(World.pod("guard", "{}", keepingAway("5")).withNodeName("a"));

    assertThat(engine.decide(pod(5))).isEqualTo(new Decision.Placed("b", 1));
    assertThat(engine.decide(pod(6))).isEqualTo(engine.examine(pod(6)).decision());
    assertThat(engine.examine(pod(6)).feasible()).containsExactly("a", "b");

    engine.remove(ObjectReference.pod("default", "guard"));

    assertThat(engine.decide(pod(5))).isEqualTo(engine.examine(pod(5)).decision());
    assertThat(engine.examine(pod(5)).feasible()).containsExactly("a", "b");
  }

  private void place(int index) {
    var decision = engine.decide(pod(index));
    assertThat(decision).isEqualTo(engine.examine(pod(index)).decision());
    if (decision instanceof Decision.Placed placed) {
      engine.assume(pod(index), placed.node());
    }
  }

  private static String keepingAway(String index) {
    return """
    {'containers':[{'name':'c','image':'x'}],'affinity':{'podAntiAffinity':{
      'requiredDuringSchedulingIgnoredDuringExecution':[{
        'topologyKey':'zone','labelSelector':{'matchLabels':{'index':'%s'}}}]}}}
    """
        .formatted(index);
  }
}
