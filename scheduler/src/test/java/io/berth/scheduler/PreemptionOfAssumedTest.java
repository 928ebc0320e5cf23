package io.berth.scheduler;

import static io.berth.scheduler.Samples.nodeTree;
import static io.berth.scheduler.Samples.podTree;

import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.testing.FakeCluster;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// A pod whose bind is under way has its place already, and can lose it like any other.
class PreemptionOfAssumedTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());
  private final LaggingCluster lagging = new LaggingCluster(cluster);

  @Test
  void itIsEvicted() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.PODS, withPriority(podTree("low", ""), 1));
    var asked = new CountDownLatch(1);
    var answer = new CountDownLatch(1);
    lagging.beforeBinds(() -> {
      asked.countDown();
      await(answer);
    });
    var options = SchedulerOptions.of(SchedulerConfiguration.DEFAULT, 1);
    try (var _ = new Scheduler(lagging, options, InstantSource.system()).start()) {
      asked.await();
      cluster.create(Resource.PODS, withPriority(podTree("high", ""), 2));

      cluster.await("the eviction of low", c -> c.find(Resource.PODS, "default", "low").isEmpty());
      answer.countDown();
      cluster.await("high on the node", c -> node(c, "high").equals("a"));
    }
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
