package io.berth.quota;

import static io.berth.quota.World.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.quota.Outcome.Cause;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Two blocks with two racks each, two nodes a rack, four GPUs a node; one node is in no rack.
class TopologyTest {

  private static final List<String> LEVELS = List.of("block", "rack");

  private final World world = new World();

  @BeforeEach
  void nodes() {
    world.pool("x", 0, 0);
    for (int i = 0; i < 8; i++) {
      // Racks have the same names in both blocks, and are different ones all the same.
      world.node("n" + i, 4, Map.of("pool", "x", "block", "b" + i / 4, "rack", "r" + i / 2 % 2));
    }
    world.node("n8", 4, Map.of("pool", "x", "block", "b0"));
    world
        .department("d", gpus(36, 1))
        .project("p", "d", gpus(18, 1))
        .project("q", "d", gpus(18, 1));
  }

  @Test
  void aGangKeepsToOneRequiredDomainOrWaits() {
    gang("fits", 2, new Topology(LEVELS, "rack", null));
    gang("large", 3, new Topology(LEVELS, "rack", null));
    gang("block", 4, new Topology(LEVELS, "block", null));

    world.pass();

    assertThat(racks("fits")).hasSize(1);
    assertThat(world.runs("large")).isFalse();
    assertThat(blocks("block")).hasSize(1);
  }

  @Test
  void preferenceGivesWayWhereThereIsNoRoom() {
    gang("close", 2, new Topology(LEVELS, null, "rack"));
    gang("wide", 4, new Topology(LEVELS, null, "rack"));

    world.pass();

    assertThat(racks("close")).hasSize(1);
    assertThat(blocks("wide")).hasSize(1);
  }

  @Test
  void roomIsMadeInOneDomain() {
    for (int i = 0; i < 36; i++) {
      world.gang("small" + i, "q", 1, 1);
    }
    world.pass();
    assertThat(world.running()).hasSize(36);
    gang("rack", 2, new Topology(LEVELS, "rack", null));

    var outcome = world.pass();

    assertThat(racks("rack")).hasSize(1);
    assertThat(outcome.evictions()).hasSize(8);
    assertThat(outcome.evictions()).extracting(Outcome.Eviction::cause).containsOnly(Cause.RECLAIM);
  }

  private void gang(String id, int pods, Topology topology) {
    world.put(world.gang(id, "p", pods, 4).withTopology(topology));
  }

  private List<String> racks(String id) {
    return domains(id, "block", "rack");
  }

  private List<String> blocks(String id) {
    return domains(id, "block");
  }

  private List<String> domains(String id, String... levels) {
    assertThat(world.placed(id)).isNotEmpty();
    return world.placed(id).stream()
        .map(member -> {
          var labels =
              world.nodes.stream()
                  .filter(node -> node.name().equals(member.pod().nodeName()))
                  .findFirst()
                  .orElseThrow()
                  .labels();
          var path = new StringBuilder();
          for (var level : levels) {
            path.append(labels.getOrDefault(level, "none")).append('/');
          }
          return path.toString();
        })
        .distinct()
        .toList();
  }
}
