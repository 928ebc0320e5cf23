package io.berth.quota;

import static io.berth.quota.Gang.Preemptibility.NON_PREEMPTIBLE;
import static io.berth.quota.Gang.Preemptibility.PREEMPTIBLE;
import static io.berth.quota.World.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Whoever may start does, and nobody gives way in vain, where nodes and gangs are not all alike.
class MadeRoomTest {

  private final World world = new World();

  @Test
  void whatRunsOnANodeThatLeftThePoolIsNoReasonToTakeMore() {
    world.pool("x", 3, 4).department("d", gpus(0, 1));
    world.project("a", "d", gpus(0, 1)).project("b", "d", gpus(4, 1));
    for (int i = 0; i < 3; i++) {
      world.gang("a" + i, "a", 1, 4);
    }
    world.pass();
    relabel("x-02", 4, Map.of());
    world.gang("b0", "b", 1, 4);

    var outcome = world.pass();

    assertThat(world.runs("b0")).isTrue();
    assertThat(outcome.evictions()).hasSize(1);
  }

  @Test
  void whatRunsOnDevicesThatFailedIsNoReasonToTakeMore() {
    world.pool("x", 3, 4).department("d", gpus(0, 1));
    world.project("a", "d", gpus(0, 1)).project("b", "d", gpus(4, 1));
    for (int i = 0; i < 3; i++) {
      world.gang("a" + i, "a", 1, 4);
    }
    world.pass();
    relabel("x-02", 0, Map.of(World.POOL_LABEL, "x"));
    world.gang("b0", "b", 1, 4);

    var outcome = world.pass();

    assertThat(world.runs("b0")).isTrue();
    assertThat(outcome.evictions()).hasSize(1);
  }

  @Test
  void memoryCountsAsOfTheSmallestDeviceAndLargerOnesStillHoldMore() {
    world.pool("x", 1, 1).department("d", gpus(0, 1));
    world.node("x-01", "x", 1, 4 * 40_960);
    world.project("a", "d", gpus(0, 1)).project("b", "d", gpus(2, 1));
    for (int i = 0; i < 5; i++) {
      world.gang("a" + i, "a", 1, 1, new GpuRequest.Memory(1, 40_960L << 20));
    }
    world.pass();
    assertThat(world.running()).hasSize(5);
    world.gang("b0", "b", 1, 1, new GpuRequest.Memory(1, 81_920L << 20));

    var outcome = world.pass();

    assertThat(world.runs("b0")).isTrue();
    assertThat(outcome.evictions()).hasSize(2);
  }

  @Test
  void anExtraIsTriedInTheDomainOfItsOwnGang() {
    world.pools.add(NodePool.of("x", World.POOL_LABEL, "x"));
    world.node("x-00", 2, Map.of(World.POOL_LABEL, "x", "rack", "r0"));
    world.node("x-01", 4, Map.of(World.POOL_LABEL, "x", "rack", "r1"));
    world.department("d", gpus(0, 1)).project("p", "d", gpus(0, 1));
    var rack = new Topology(List.of("rack"), "rack", null);
    for (var id : List.of("g0", "g1")) {
      var gang = world.gang(id, "p", 2, 1, new GpuRequest.Devices(2));
      world.put(gang.withTopology(rack));
    }

    world.pass();

    assertThat(world.placed("g0")).hasSize(1);
    assertThat(world.placed("g1")).hasSize(2);
  }

  @Test
  void whatFailsForGoodOfOneThatStaysDoesNotKeepOneThatGivesWay() {
    world.pool("x", 1, 4).department("d", gpus(0, 1));
    world.project("p", "d", gpus(2, 1, 2));
    world.gang("low", "p", 1, 2);
    world.pass();
    world.priority(world.gang("firm", "p", 1, 2), 70, NON_PREEMPTIBLE);
    world.priority(world.gang("high", "p", 1, 2), 70, PREEMPTIBLE);

    world.pass();

    assertThat(world.running()).containsExactly("high");
  }

  @Test
  void aDeviceOfUnknownSizeIsNotFreeBecauseTwoHaveIt() {
    world.pool("x", 1, 1).department("d", gpus(0, 1)).project("p", "d", gpus(0, 1));
    for (int i = 0; i < 2; i++) {
      world.gang("m" + i, "p", 1, 1, new GpuRequest.Memory(1, 20_480L << 20));
    }
    world.pass();
    assertThat(world.running()).containsExactly("m0", "m1");
    relabel("x-00", 1, Map.of(World.POOL_LABEL, "x"));
    world.gang("half", "p", 1, 1, new GpuRequest.Portion(1, 500_000));

    world.pass();

    assertThat(world.running()).containsExactly("m0", "m1");
  }

  @Test
  void nobodyStartsInAPassWhoseRoomAnotherIsEntitledTo() {
    world.pools.add(NodePool.of("x", World.POOL_LABEL, "x"));
    world.node("x-00", "x", 4, 40_960);
    world.node("x-01", "x", 4, 40_960);
    world.department("d", gpus(0, 1));
    world.project("j", "d", gpus(0, 1)).project("q", "d", gpus(0, 4));
    world.gang("running", "j", 1, 2);
    world.pass();
    world.node("x-02", "x", 2, 40_960);
    world.gang("new", "j", 1, 4);
    world.gang("wide", "q", 2, 4);

    var outcome = world.pass();

    assertThat(world.running()).containsExactly("running", "wide");
    assertThat(outcome.placements()).extracting(Outcome.Placement::gang).doesNotContain("new");
  }

  @Test
  void aNodeWithAbsurdNumbersStopsNobody() {
    world.pool("x", 1, 1).department("d", gpus(0, 1)).project("p", "d", gpus(0, 1));
    world.nodes.clear();
    world.node("x-00", Integer.MAX_VALUE, Map.of(World.POOL_LABEL, "x"));
    world.gang("g", "p", 1, 1);

    world.pass();

    assertThat(world.running()).containsExactly("g");
  }

  private void relabel(String node, int gpus, Map<String, String> labels) {
    world.nodes.removeIf(each -> each.name().equals(node));
    world.node(node, gpus, labels);
  }
}
