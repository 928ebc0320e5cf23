package io.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Quantity;
import io.berth.api.SchedulerConfiguration;
import io.berth.codec.PodReader;
import io.berth.codec.Yaml;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.Engine;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchedulingQueueTest {

  private static final long NOON = 1_000_000_000L;

  private final SchedulingQueue queue =
      new SchedulingQueue(
          new Backoff(1, 10), new Hints(new Engine(SchedulerConfiguration.DEFAULT, 1)));

  @Test
  void backsOffAsKubernetesDoes() {
    var backoff = new Backoff(1, 10);

    assertThat(List.of(1, 2, 3, 4, 5, 6).stream().map(backoff::durationMillis))
        .containsExactly(1000L, 2000L, 4000L, 8000L, 10_000L, 10_000L);
  }

  @Test
  void higherPriorityComesFirstThenWhoWaitedLonger() {
    queue.put(pod("late", 0), NOON + 1);
    queue.put(pod("early", 0), NOON);
    queue.put(pod("important", 10), NOON + 2);

    assertThat(List.of(pop(), pop(), pop())).containsExactly("important", "early", "late");
    assertThat(queue.pop(NOON)).isNull();
  }

  @Test
  void aRejectedPodWaitsForAnEventThatHelpsItsRejector() {
    queue.put(pod("p", 0), NOON);
    var pending = popped();
    queue.rejected(pending, Set.of("NodeResourcesFit"), NOON);
    assertThat(queue.hasReady()).isFalse();

    queue.wake(ClusterEvent.added(Kind.NODE_ADD, node("tiny", "100m")), NOON + 5000);
    assertThat(queue.hasReady()).as("too small to help").isFalse();
    queue.wake(
        ClusterEvent.changed(Kind.NODE_UPDATE_LABEL, node("a", "4"), node("a", "4")), NOON + 5000);
    assertThat(queue.hasReady()).as("labels do not make room").isFalse();

    queue.wake(ClusterEvent.added(Kind.NODE_ADD, node("big", "4")), NOON + 5000);
    assertThat(queue.activeCount()).isEqualTo(1);
  }

  @Test
  void aWokenPodPausesFirstWhenItFailedJustNow() {
    queue.put(pod("p", 0), NOON);
    var pending = popped();
    queue.rejected(pending, Set.of("NodeResourcesFit"), NOON);

    queue.wake(ClusterEvent.added(Kind.NODE_ADD, node("big", "4")), NOON + 100);

    assertThat(queue.activeCount()).isZero();
    assertThat(queue.backoffCount()).isEqualTo(1);
    queue.flush(NOON + 1500);
    assertThat(queue.backoffCount()).as("expiry is a whole second").isEqualTo(1);
    queue.flush(NOON + 2000);
    assertThat(queue.activeCount()).isEqualTo(1);
  }

  @Test
  void aGatedPodIsReadyWhenItsGatesAreGone() {
    queue.put(pod("p", 0, "schedulingGates: [{name: wait}]"), NOON);
    assertThat(queue.hasReady()).isFalse();
    assertThat(queue.gatedCount()).isEqualTo(1);

    queue.put(pod("p", 0), NOON);

    assertThat(pop()).isEqualTo("p");
  }

  @Test
  void aPreemptorIsNotWokenBeforeItsVictimsAreEvicted() {
    queue.put(pod("p", 0), NOON);
    var pending = popped();
    pending.preempting(true);
    queue.rejected(pending, Set.of("NodeResourcesFit"), NOON);
    var victim = pod("victim", 0).withNodeName("a");

    queue.wake(ClusterEvent.gone(Kind.ASSIGNED_POD_DELETE, victim), NOON + 5000);
    assertThat(queue.hasReady()).isFalse();

    queue.preemptionEnded("default/p", false, NOON + 5000);
    assertThat(queue.hasReady()).isTrue();
  }

  @Test
  void aPluginWithoutHintsIsWokenByEverything() {
    queue.put(pod("p", 0), NOON);
    queue.rejected(popped(), Set.of("Extender"), NOON);

    queue.wake(ClusterEvent.added(Kind.CSI_NODE_ADD, "a"), NOON + 5000);

    assertThat(queue.hasReady()).isTrue();
  }

  @Test
  void aPodThatNobodyRejectedIsTriedAgain() {
    queue.put(pod("p", 0), NOON);
    queue.rejected(popped(), Set.of(), NOON);

    queue.flush(NOON + 3000);

    assertThat(queue.activeCount()).isEqualTo(1);
  }

  @Test
  void allPodsThatAreAlikeAreWokenTogether() {
    for (var name : List.of("a", "b", "c")) {
      queue.put(pod(name, 0), NOON);
    }
    for (int i = 0; i < 3; i++) {
      queue.rejected(popped(), Set.of("NodeResourcesFit", "NodeAffinity"), NOON);
    }
    queue.remove("default/b");

    queue.wake(ClusterEvent.added(Kind.NODE_ADD, node("big", "4")), NOON + 5000);

    assertThat(queue.activeCount()).isEqualTo(2);
    assertThat(queue.unschedulableCount()).isZero();
  }

  @Test
  void aPodThatChangesIsWokenAsWhatItIsNow() {
    queue.put(pod("p", 0, "nodeSelector: {disk: hdd}"), NOON);
    queue.put(pod("q", 0, "nodeSelector: {disk: hdd}"), NOON);
    queue.rejected(popped(), Set.of("NodeAffinity"), NOON);
    queue.rejected(popped(), Set.of("NodeAffinity"), NOON);
    queue.put(pod("q", 0, "nodeSelector: {disk: ssd}"), NOON);

    queue.wake(
        ClusterEvent.added(Kind.NODE_ADD, node("n", "4", Map.of("disk", "ssd"))), NOON + 5000);

    assertThat(pop()).isEqualTo("q");
    assertThat(pop()).isEqualTo("nothing");
    assertThat(queue.unschedulableCount()).isEqualTo(1);
  }

  @Test
  void theSweepRetriesWhatNoEventHelped() {
    queue.put(pod("p", 0), NOON);
    var pending = popped();
    queue.rejected(pending, Set.of("NodeAffinity"), NOON);

    assertThat(queue.sweep(NOON + 299_000)).isZero();
    assertThat(queue.sweep(NOON + 301_000)).isEqualTo(1);
    assertThat(queue.hasReady()).isTrue();
  }

  private PendingPod popped() {
    return Objects.requireNonNull(queue.pop(NOON));
  }

  private String pop() {
    var next = queue.pop(NOON);
    return next == null ? "nothing" : next.pod().name();
  }

  private static Pod pod(String name, int priority) {
    return pod(name, priority, "nodeSelector: {}");
  }

  private static Pod pod(String name, int priority, String more) {
    return PodReader.read(
        Yaml.read(
            """
            metadata: {namespace: default, name: %s, uid: %s}
            spec:
              priority: %d
              containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
              %s
            """
                .formatted(name, name, priority, more)));
  }

  private static Node node(String name, String cpu) {
    return node(name, cpu, Map.of());
  }

  private static Node node(String name, String cpu, Map<String, String> labels) {
    return new Node(
        name,
        labels,
        false,
        List.of(),
        Map.of("cpu", Quantity.parse(cpu), "pods", Quantity.parse("110")),
        List.of(),
        List.of());
  }
}
