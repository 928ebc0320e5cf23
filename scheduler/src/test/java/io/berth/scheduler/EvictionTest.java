package io.berth.scheduler;

import static io.berth.scheduler.Samples.nodeTree;
import static io.berth.scheduler.Samples.podTree;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.testing.FakeCluster;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Whom an eviction meets, and whom it must not.
class EvictionTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());
  private final LaggingCluster lagging = new LaggingCluster(cluster);

  @Test
  void aPodWhoseBindIsUnderWayHasAPlaceToLose() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.PODS, withPriority(podTree("low", ""), 1));
    var asked = new CountDownLatch(1);
    var answer = new CountDownLatch(1);
    lagging.beforeBinds(() -> {
      asked.countDown();
      await(answer);
    });
    try (var _ = scheduler()) {
      asked.await();
      cluster.create(Resource.PODS, withPriority(podTree("high", ""), 2));

      cluster.await("the eviction of low", c -> c.find(Resource.PODS, "default", "low").isEmpty());
      answer.countDown();
      cluster.await("high on the node", c -> node(c, "high").equals("a"));
    }
  }

  @Test
  void anotherPodOfTheVictimsNameStays() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.NODES, nodeTree("b", "0"));
    cluster.create(Resource.PODS, withPriority(podTree("low", "nodeName: a"), 1));
    lagging.beforePatches(() -> {
      if (node(cluster, "low").equals("a")) {
        cluster.delete(Resource.PODS, "default", "low", DeleteOptions.now(uid("low")));
        cluster.create(Resource.PODS, withPriority(podTree("low", "nodeName: b"), 1));
      }
    });
    try (var _ = scheduler()) {
      cluster.create(Resource.PODS, withPriority(podTree("high", ""), 2));

      cluster.await("high on the node", c -> node(c, "high").equals("a"));
    }
    assertThat(cluster.fetch(Resource.PODS, "default", "low").treeOrEmpty("metadata"))
        .satisfies(pod -> assertThat(pod.has("deletionTimestamp")).isFalse());
  }

  private Scheduler scheduler() throws InterruptedException {
    var options = SchedulerOptions.of(SchedulerConfiguration.DEFAULT, 1);
    return new Scheduler(lagging, options, InstantSource.system()).start();
  }

  private String uid(String pod) {
    return cluster.fetch(Resource.PODS, "default", pod).textOrEmpty("metadata", "uid");
  }

  private static Tree withPriority(Tree pod, int priority) {
    pod.child("spec").put("priority", priority);
    return pod;
  }

  private static String node(FakeCluster cluster, String pod) {
    return cluster.fetch(Resource.PODS, "default", pod).textOrEmpty("spec", "nodeName");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
