package io.berth.quota;

import static io.berth.quota.Gang.Preemptibility.NON_PREEMPTIBLE;
import static io.berth.quota.Gang.Preemptibility.PREEMPTIBLE;
import static io.berth.quota.World.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.LabelSelector;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.Requirement;
import io.berth.quota.Outcome.Cause;
import io.berth.quota.Outcome.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ArbiterTest {

  private final World world = new World();

  @Test
  void sharesFollowWeights() {
    org("a", 0, 2, "b", 0, 3, "c", 0, 1);
    fill("a", 20);
    fill("b", 20);
    fill("c", 20);

    world.pass();

    assertThat(running("a")).isEqualTo(7);
    assertThat(running("b")).isEqualTo(10);
    assertThat(running("c")).isEqualTo(3);
  }

  @Test
  void aDepartmentWithoutProjectsTakesNothing() {
    world.pool("x", 5, 4).department("empty", gpus(16, 1)).department("d", gpus(0, 1));
    world.project("a", "d", gpus(0, 1));
    fill("a", 20);

    var outcome = world.pass();

    assertThat(outcome.standings())
        .filteredOn(standing -> standing.unit().equals("a"))
        .extracting(standing -> standing.fairShare().gpuMillis())
        .containsExactly(20_000L);
  }

  @Test
  void aGangStartsWholeInThePoolThatHoldsIt() {
    world.pool("b", 3, 8).pool("a", 4, 8);
    world.department("d", gpus(0, 1)).project("p", "d", gpus(0, 1));
    world.gang("wide", "p", 4, 8);

    var outcome = world.pass();

    assertThat(outcome.placements()).hasSize(1);
    assertThat(outcome.placements().getFirst().pool()).isEqualTo("a");
    assertThat(outcome.placements().getFirst().pods()).hasSize(4);
  }

  @Test
  void aGangThatFitsNowhereWholeDoesNotStartAtAll() {
    world.pool("b", 3, 8).pool("a", 3, 8);
    world.department("d", gpus(0, 1)).project("p", "d", gpus(0, 1));
    world.gang("wide", "p", 4, 8);

    var outcome = world.pass();

    assertThat(outcome.placements()).isEmpty();
    var refusals = outcome.waiting().getFirst().refusals();
    assertThat(refusals).extracting(Outcome.Refusal::pool).containsExactly("b", "a");
    assertThat(refusals.getFirst().message())
        .startsWith("3 of 4 pods found room, then: 0/6 nodes are available: ");
  }

  @Test
  void nonPreemptibleStaysWithinQuotaThoughGpusAreFree() {
    org("p", 2, 1, "q", 0, 1);
    world.priority(world.gang("first", "p", 1, 1), 100, NON_PREEMPTIBLE);
    world.pass();
    world.priority(world.gang("second", "p", 1, 4), 100, NON_PREEMPTIBLE);

    var waiting = world.pass().waiting().getFirst();

    var refusal = waiting.refusals().getFirst();
    assertThat(refusal.reason()).isEqualTo(Reason.NON_PREEMPTIBLE_OVER_QUOTA);
    assertThat(refusal.message())
        .isEqualTo(
            "Non-preemptible workload is over quota. Workload requested 4 GPUs, but p quota is 2"
                + " GPUs, while 1 GPUs are already allocated for non-preemptible pods. Use a"
                + " preemptible workload to go over quota.");
  }

  @Test
  void nobodyGoesBeyondALimit() {
    world.pool("x", 2, 8);
    world.department("d", gpus(0, 1)).project("p", "d", gpus(8, 1, 8));
    world.gang("fits", "p", 8, 1);
    world.pass();
    world.gang("more", "p", 1, 1);

    var refusal = world.pass().waiting().getFirst().refusals().getFirst();

    assertThat(refusal.reason()).isEqualTo(Reason.OVER_LIMIT);
    assertThat(refusal.message())
        .isEqualTo(
            "p quota has reached the allowable limit of GPUs. Limit is 8 GPUs, currently 8 GPUs"
                + " allocated and workload requested 1 GPUs");
  }

  @Test
  void aProjectGetsBackWhatItDeservesAndNoMore() {
    org("a", 10, 1, "b", 10, 1);
    fill("b", 20);
    world.pass();
    assertThat(running("b")).isEqualTo(20);
    world.gang("wants", "a", 3, 1);

    var outcome = world.pass();

    assertThat(world.runs("wants")).isTrue();
    assertThat(outcome.evictions()).hasSize(3);
    assertThat(outcome.evictions()).extracting(Outcome.Eviction::cause).containsOnly(Cause.RECLAIM);
    var first = outcome.evictions().getFirst();
    assertThat(first.messageFor(first.pods().getFirst()))
        .startsWith(
            "Pod b/" + first.gang() + "-0 was preempted by workload a/wants. b uses <20 GPUs");
    assertThat(world.pass().evictions()).isEmpty();
  }

  @Test
  void whatIsTakenOnTheWayAndNotNeededIsPutBack() {
    // The search goes node by node, and the first two are too small for what is asked.
    world.pool("x", 0, 0);
    for (int i = 0; i < 6; i++) {
      world.node("n" + i, "x", i < 2 ? 2 : 4, 40_960);
    }
    world
        .department("d", gpus(20, 1))
        .project("a", "d", gpus(10, 1))
        .project("b", "d", gpus(10, 1));
    fill("b", 20);
    world.pass();
    assertThat(running("b")).isEqualTo(20);
    world.gang("four", "a", 1, 4);

    var outcome = world.pass();

    assertThat(world.runs("four")).isTrue();
    assertThat(outcome.evictions()).hasSize(4);
  }

  @Test
  void disruptionBudgetsAreKept() {
    org("a", 10, 1, "b", 10, 1);
    fill("b", 20);
    world.pass();
    // Of the first eighteen, which would go first, no more than one may be disrupted.
    var names = IntStream.range(0, 18).mapToObj(i -> "b%d-0".formatted(i)).toList();
    var selector = new LabelSelector(Map.of(), List.of(new Requirement("workload", "In", names)));
    world.budgets.add(new PodDisruptionBudget("b", "few", selector, 1, Set.of()));
    world.gang("three", "a", 3, 1);
    world.gang("four", "a", 4, 1);

    var outcome = world.pass();

    assertThat(world.runs("three")).isTrue();
    assertThat(world.runs("four")).isFalse();
    assertThat(outcome.evictions()).extracting(Outcome.Eviction::gang).contains("b18", "b19");
    assertThat(outcome.evictions()).hasSize(3);
  }

  @Test
  void withoutAWeightThereIsNoShareBeyondTheQuotaButUseOfWhatIsIdle() {
    org("a", 4, 0, "b", 4, 1);
    fill("a", 20);
    world.pass();
    assertThat(running("a")).isEqualTo(20);
    fill("b", 20);

    world.pass();

    assertThat(running("a")).isEqualTo(4);
    assertThat(running("b")).isEqualTo(16);
  }

  @Test
  void whatIsWithinItsShareIsNotTaken() {
    org("a", 4, 1, "b", 16, 1);
    fill("b", 16);
    world.pass();
    fill("a", 8);

    assertThat(world.pass().evictions()).isEmpty();
    assertThat(running("a")).isEqualTo(4);
  }

  @Test
  void higherPriorityGoesFirstWithinAProjectOnly() {
    org("a", 10, 1, "b", 10, 1);
    world.gang("low", "a", 10, 1);
    world.gang("other", "b", 10, 1);
    world.pass();
    world.priority(world.gang("high", "a", 10, 1), 90, PREEMPTIBLE);

    var outcome = world.pass();

    assertThat(world.running()).containsExactly("other", "high");
    assertThat(outcome.evictions()).hasSize(1);
    assertThat(outcome.evictions().getFirst().messageFor("a/low-0"))
        .isEqualTo("Pod a/low-0 was preempted by higher priority workload a/high");
    assertThat(outcome.waiting().getFirst().gang()).isEqualTo("low");
  }

  @Test
  void whoHasNotRunLongEnoughStays() {
    org("a", 10, 1, "b", 10, 1);
    world.pools.set(0, world.pools.getFirst().withMinRunTime(Duration.ofMinutes(10)));
    fill("b", 20);
    world.pass();
    world.gang("wants", "a", 1, 1);

    assertThat(world.pass().evictions()).isEmpty();
    world.now = world.now.plus(Duration.ofMinutes(10));
    assertThat(world.pass().evictions()).hasSize(1);
  }

  @Test
  void gangsMoveTogetherWhenThatMakesRoom() {
    world.pool("x", 2, 4);
    world.department("d", gpus(8, 1)).project("p", "d", gpus(8, 1));
    for (int i = 0; i < 8; i++) {
      world.gang("g" + i, "p", 1, 1);
    }
    world.pass();
    // Two of each node end: four are free, but no node has them.
    var byNode = new TreeMap<String, Integer>();
    for (var gang : List.copyOf(world.gangs.values())) {
      var node = world.placed(gang.id()).getFirst().pod().nodeName();
      if (byNode.merge(node, 1, Integer::sum) <= 2) {
        world.finish(gang.id());
      }
    }
    world.gang("big", "p", 1, 4);

    var outcome = world.pass();

    assertThat(world.runs("big")).isTrue();
    assertThat(world.running()).hasSize(5);
    assertThat(outcome.evictions()).hasSize(2);
    assertThat(outcome.evictions())
        .extracting(Outcome.Eviction::cause)
        .containsOnly(Cause.CONSOLIDATION);
    assertThat(outcome.placements()).hasSize(3);
  }

  @Test
  void extrasComeAndGoOneByOne() {
    org("a", 10, 1, "b", 10, 1);
    world.gang("elastic", "b", 20, 2, new GpuRequest.Devices(1));
    world.pass();
    assertThat(world.placed("elastic")).hasSize(20);
    world.gang("wants", "a", 3, 1);

    var outcome = world.pass();

    assertThat(outcome.evictions()).hasSize(1);
    assertThat(outcome.evictions().getFirst().pods()).hasSize(3);
    assertThat(world.placed("elastic")).hasSize(17);
  }

  @Test
  void aGangThatWaitedLongIsNotOvertakenForEver() {
    world.pool("x", 1, 8);
    world.department("d", gpus(0, 1)).project("p", "d", gpus(0, 1)).project("q", "d", gpus(0, 1));
    for (int i = 0; i < 8; i++) {
      world.gang("s" + i, "q", 1, 1);
    }
    world.pass();
    world.gang("big", "p", 1, 8);
    int passes = 0;
    int next = 8;
    // One small gang ends every ten minutes, and another one comes at once.
    while (!world.runs("big") && passes++ < 30) {
      world.finish("s" + (next - 8));
      world.gang("s" + next++, "q", 1, 1);
      world.pass();
      world.now = world.now.plus(Duration.ofMinutes(9));
    }

    assertThat(world.runs("big")).isTrue();
    assertThat(passes).isBetween(7, 20);
  }

  @Test
  void fractionsShareDevicesAndWholeOnesAreCountedRight() {
    world.pool("x", 1, 2);
    world.department("d", gpus(2, 1)).project("p", "d", gpus(2, 1));
    for (int i = 0; i < 3; i++) {
      world.gang("third" + i, "p", 1, 1, new GpuRequest.Portion(1, 333_333));
    }
    world.gang("whole", "p", 1, 1);
    world.gang("half", "p", 1, 1, new GpuRequest.Portion(1, 500_000));

    var outcome = world.pass();

    assertThat(world.running()).containsExactly("third0", "third1", "third2", "whole");
    assertThat(outcome.waiting()).extracting(Outcome.Waiting::gang).containsExactly("half");
    assertThat(outcome.placements().getFirst().pods().getFirst().devices()).containsExactly(0);
    // What was taken of the device comes back when its users end.
    world.finish("third0");
    world.finish("third1");
    world.pass();
    assertThat(world.runs("half")).isTrue();
  }

  @Test
  void memoryOfADeviceIsAskedForByTheByte() {
    world.pool("x", 0, 0);
    world.node("small", "x", 1, 16_384);
    world.node("large", "x", 1, 40_960);
    world.department("d", gpus(2, 1)).project("p", "d", gpus(2, 1));
    world.gang("m", "p", 1, 1, new GpuRequest.Memory(1, 20L << 30));
    world.gang("n", "p", 1, 1, new GpuRequest.Memory(1, 20L << 30));
    world.gang("o", "p", 1, 1, new GpuRequest.Memory(1, 1L << 30));

    var outcome = world.pass();

    assertThat(outcome.waiting()).isEmpty();
    assertThat(outcome.placements())
        .extracting(p -> p.pods().getFirst().node())
        .containsExactly("large", "large", "small");
  }

  @Test
  void theOrderOfListsDoesNotMatter() {
    org("a", 4, 2, "b", 8, 3, "c", 0, 1);
    fill("a", 12);
    fill("b", 12);
    fill("c", 12);
    var situation = world.situation();
    var turned =
        new Situation(
            situation.now(),
            situation.departments().reversed(),
            situation.projects().reversed(),
            situation.pools(),
            situation.nodes().reversed(),
            situation.gangs().reversed(),
            situation.usage(),
            situation.budgets());

    var one = world.arbiter.decide(situation);
    var other = world.arbiter.decide(turned);

    assertThat(other.placements()).containsExactlyInAnyOrderElementsOf(one.placements());
  }

  @Test
  void pastUseWeighsAgainstPresentWeight() {
    org("a", 0, 1, "b", 0, 1, "c", 0, 1);
    world.pools.set(0, world.pools.getFirst().withHistoryWeight(1000));
    world.usage.put("x", Map.of("a", new Amounts(10_000, 0, 0), "b", new Amounts(0, 0, 0)));
    fill("a", 20);
    fill("b", 20);

    world.pass();

    // Of those who ask weights are 1/2 each; a used half of all: 1/2 + (1/2 - 1/2) is 1/2, b has
    // 1/2 + (1/2 - 0), which is twice as much.
    assertThat(running("a")).isEqualTo(7);
    assertThat(running("b")).isEqualTo(13);
  }

  /// One pool of twenty devices, one department, and projects with deserved GPUs and weights.
  private void org(Object... projects) {
    world.pool("x", 5, 4).department("d", gpus(20, 1));
    for (int i = 0; i < projects.length; i += 3) {
      var quota = gpus((Integer) projects[i + 1], (Integer) projects[i + 2]);
      world.project((String) projects[i], "d", quota);
    }
  }

  private void fill(String project, int gangs) {
    for (int i = 0; i < gangs; i++) {
      world.gang(project + i, project, 1, 1);
    }
  }

  private long running(String project) {
    return world.running().stream().filter(id -> id.startsWith(project)).count();
  }
}
