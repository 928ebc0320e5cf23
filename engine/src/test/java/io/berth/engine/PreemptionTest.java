package io.berth.engine;

import static io.berth.engine.World.asking;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Pod;
import io.berth.api.PodSpec;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The quick choice of a node for preemption against the thorough one, on nodes that are alike.
class PreemptionTest {

  private static final String NODE = "{'cpu':'4','memory':'8Gi','pods':'9'}";

  @Test
  void choosesAmongAlikeNodesAsAmongAny() {
    int found = 0;
    for (long seed = 1; seed <= 60; seed++) {
      var engine = crowdedCluster(new Random(seed));
      for (var cpu : List.of("500m", "1500m", "3", "4", "5")) {
        var pod = pod("newcomer", cpu, 10);
        var quick = engine.decide(pod);

        assertThat(quick)
            .as("seed %d, cpu %s", seed, cpu)
            .isEqualTo(engine.examine(pod).decision());
        found += quick.toString().contains("found a potential placement") ? 1 : 0;
      }
    }

    assertThat(found).isGreaterThan(100);
  }

  private static Engine crowdedCluster(Random random) {
    var world = new World();
    for (int i = 0; i < 12; i++) {
      world.node("n" + i, NODE, "{}");
      for (int p = 0; p < 4; p++) {
        var cpu = random.nextInt(4) == 0 ? "500m" : "1";
        int priority = List.of(0, 0, 5, 10).get(random.nextInt(4));
        var pod = pod("p" + i + "-" + p, cpu, priority).withNodeName("n" + i);
        var start = Instant.ofEpochSecond(1_700_000_000L + random.nextInt(5));
        world.engine.put(pod.withStatus(pod.status().withStartTime(start)));
      }
    }
    return world.engine;
  }

  private static Pod pod(String name, String cpu, int priority) {
    var pod = World.pod(name, "{}", asking("{'cpu':'%s'}".formatted(cpu)));
    return pod.withSpec(withPriority(pod.spec(), priority));
  }

  private static PodSpec withPriority(PodSpec s, int priority) {
    return new PodSpec(
        s.initContainers(),
        s.containers(),
        s.overhead(),
        s.podRequests(),
        s.nodeSelector(),
        s.nodeAffinity(),
        s.podAffinity(),
        s.podAntiAffinity(),
        s.tolerations(),
        s.topologySpreadConstraints(),
        priority,
        s.neverPreempts(),
        s.schedulerName(),
        s.schedulingGates(),
        s.volumes(),
        s.resourceClaims(),
        s.features());
  }
}
