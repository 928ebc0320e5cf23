package io.berth.scheduler;

import static io.berth.scheduler.Samples.nodeTree;
import static io.berth.scheduler.Samples.podTree;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.testing.FakeCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What the condition of a pod that waits says.
class ReportsTest {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
  private final FakeCluster cluster = new FakeCluster(InstantSource.system());

  @Test
  void aSecondRefusalKeepsTheTimeOfTheFirstAndNamesTheSpecItSpeaksOf() throws Exception {
    cluster.create(Resource.NODES, nodeTree("small", "1"));
    cluster.create(Resource.PODS, requesting(podTree("large", ""), "8"));
    cluster.edit(
        Resource.PODS, "default", "large", pod -> pod.child("metadata").put("generation", 3L));
    try (var _ = scheduler()) {
      cluster.await("a refusal", _ -> !condition().isEmpty());
      assertThat(condition().textOrEmpty("message")).startsWith("0/1 nodes");
      assertThat(condition().textOrEmpty("lastTransitionTime")).isEqualTo("2026-01-01T00:00:00Z");
      assertThat(condition().number(0, "observedGeneration")).isEqualTo(3);
      now.updateAndGet(time -> time.plus(Duration.ofHours(1)));

      // Large enough, which is why the pod is tried again, but tainted.
      var tainted = nodeTree("tainted", "16");
      tainted.child("spec").put("taints", List.of(Tree.of("key", "k", "effect", "NoSchedule")));
      cluster.create(Resource.NODES, tainted);

      cluster.await(
          "another refusal", _ -> condition().textOrEmpty("message").startsWith("0/2 nodes"));
      assertThat(condition().textOrEmpty("lastTransitionTime")).isEqualTo("2026-01-01T00:00:00Z");
    }
  }

  @Test
  void aNodeThatIsPromisedAgainIsNamedAgain() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.PODS, podTree("low", "nodeName: a"));
    cluster.create(Resource.PODS, podTree("large", "priority: 2"));
    try (var _ = scheduler()) {
      cluster.await("a promise", _ -> promised().equals("a"));

      cluster.edit(
          Resource.PODS,
          "default",
          "large",
          pod -> pod.child("status").put("nominatedNodeName", null));

      cluster.await("the promise again", _ -> promised().equals("a"));
    }
  }

  /// Where the test waits for quiet, a defect would bind, and then write the condition.
  @Test
  void whatWasSaidOfAPodThatWaitsDoesNotOutliveItsBind() throws Exception {
    var lagging = new LaggingCluster(cluster);
    lagging.beforePatches(() -> {
      cluster.create(Resource.NODES, nodeTree("large-enough", "8"));
      cluster.awaitQuiet(Duration.ofMillis(300));
    });
    cluster.create(Resource.NODES, nodeTree("small", "0"));
    cluster.create(Resource.PODS, podTree("large", ""));
    try (var _ = new Scheduler(lagging, SchedulerConfiguration.DEFAULT, now::get, 1).start()) {
      cluster.await("the bind", _ -> !node().isEmpty());
      cluster.awaitQuiet(Duration.ofMillis(600));
    }
    assertThat(condition().textOrEmpty("status")).isEqualTo("True");
  }

  @Test
  void anEventWhoseAnswerIsLostIsNotWrittenTwice() throws Exception {
    var lagging = new LaggingCluster(cluster);
    var lost = new AtomicInteger(2);
    lagging.afterCreations(() -> {
      if (lost.getAndDecrement() > 0) {
        throw new UncheckedIOException(new IOException("cut"));
      }
    });
    cluster.create(Resource.NODES, nodeTree("a", "2"));
    cluster.create(Resource.PODS, podTree("large", ""));
    cluster.create(Resource.PODS, podTree("large" + "r".repeat(240), ""));
    try (var _ = new Scheduler(lagging, SchedulerConfiguration.DEFAULT, now::get, 1).start()) {
      cluster.await("both events", _ -> cluster.all(Resource.EVENTS).size() > 1);
      cluster.awaitQuiet(Duration.ofMillis(500));
    }

    assertThat(cluster.all(Resource.EVENTS))
        .hasSize(2)
        .allSatisfy(
            event -> assertThat(event.textOrEmpty("metadata", "name").length()).isLessThan(254));
  }

  private String node() {
    return cluster.fetch(Resource.PODS, "default", "large").textOrEmpty("spec", "nodeName");
  }

  private String promised() {
    return cluster
        .fetch(Resource.PODS, "default", "large")
        .textOrEmpty("status", "nominatedNodeName");
  }

  private Scheduler scheduler() throws InterruptedException {
    return new Scheduler(cluster, SchedulerConfiguration.DEFAULT, now::get, 1).start();
  }

  private Tree condition() {
    return cluster.fetch(Resource.PODS, "default", "large").trees("status", "conditions").stream()
        .filter(condition -> condition.textOrEmpty("type").equals("PodScheduled"))
        .findFirst()
        .orElse(new Tree());
  }

  private static Tree requesting(Tree pod, String cpus) {
    var container = pod.trees("spec", "containers").getFirst();
    container.child("resources").child("requests").put("cpu", cpus);
    return pod;
  }
}
