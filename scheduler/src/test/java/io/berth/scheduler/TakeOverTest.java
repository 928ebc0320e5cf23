package io.berth.scheduler;

import static io.berth.scheduler.Samples.nodeTree;
import static io.berth.scheduler.Samples.podTree;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.testing.FakeCluster;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// From one instance to the next: neither gives away what the other has given. Where a test waits
/// for quiet, a defect would write.
class TakeOverTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());
  private final LaggingCluster lagging = new LaggingCluster(cluster);

  @Test
  void whoTakesOverKnowsTheLastBindsAlthoughItsWatchIsBehind() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.PODS, podTree("last", ""));
    cluster.create(Resource.PODS, podTree("next", ""));
    var leads = new AtomicBoolean();
    try (var standby = standby(leads)) {
      standby.start();
      lagging.hold();
      cluster.edit(Resource.PODS, "default", "last", pod -> pod.child("spec").put("nodeName", "a"));

      lagging.releaseAtNextList();
      standby.catchUp();
      leads.set(true);
      standby.wake();

      cluster.await("a refusal", _ -> message("next").contains("1 Insufficient cpu"));
    }
  }

  @Test
  void nothingIsDecidedBeforeAllPodsAreKnown() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.PODS, podTree("later", ""));
    cluster.create(Resource.PODS, podTree("running", "nodeName: a"));
    lagging.afterFirstPod(() -> cluster.awaitQuiet(Duration.ofMillis(200)));
    try (var scheduler = standby(new AtomicBoolean(true))) {
      scheduler.start();

      cluster.await("a refusal", _ -> message("later").contains("1 Insufficient cpu"));
    }
  }

  @Test
  void whoStopsWaitsForItsBinds() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.PODS, podTree("slow", ""));
    var asked = new CountDownLatch(1);
    var answer = new CountDownLatch(1);
    lagging.beforeBinds(() -> {
      asked.countDown();
      await(answer);
    });
    var scheduler = standby(new AtomicBoolean(true)).start();
    asked.await();
    var closing = Thread.ofVirtual().start(scheduler::close);

    answer.countDown();
    closing.join();

    assertThat(node("slow")).isEqualTo("a");
  }

  @Test
  void aPodOfTheSameNameTakesThePlaceOfTheOneThatWentUnseen() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.PODS, podTree("web-0", "nodeName: a"));
    try (var scheduler = standby(new AtomicBoolean(true))) {
      scheduler.start();
      lagging.hold();
      cluster.delete(Resource.PODS, "default", "web-0", new DeleteOptions(0, null, null));
      cluster.create(Resource.PODS, podTree("web-0", ""));

      lagging.expire();

      cluster.await("its place", _ -> node("web-0").equals("a"));
    }
  }

  private String node(String pod) {
    return cluster.fetch(Resource.PODS, "default", pod).textOrEmpty("spec", "nodeName");
  }

  private Scheduler standby(AtomicBoolean leads) {
    var options = SchedulerOptions.of(SchedulerConfiguration.DEFAULT, 1).activeWhen(leads::get);
    return new Scheduler(lagging, options, InstantSource.system());
  }

  private String message(String pod) {
    return cluster.fetch(Resource.PODS, "default", pod).trees("status", "conditions").stream()
        .map(condition -> condition.textOrEmpty("message"))
        .findFirst()
        .orElse("");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
