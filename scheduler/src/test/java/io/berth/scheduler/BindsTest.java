package io.berth.scheduler;

import static io.berth.scheduler.Samples.nodeTree;
import static io.berth.scheduler.Samples.podTree;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.testing.FakeCluster;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A bind that the API refuses leaves the pod free: it is tried again, whatever the reason was.
class BindsTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());
  private final LaggingCluster lagging = new LaggingCluster(cluster);

  @ParameterizedTest
  @ValueSource(ints = {403, 409, 429, 500, 504})
  void aRefusedBindIsTriedAgain(int code) throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "1"));
    cluster.create(Resource.PODS, podTree("p", ""));
    var binds = new AtomicInteger();
    lagging.beforeBinds(() -> {
      if (binds.incrementAndGet() == 1) {
        throw new ApiException(code, "Refused", "not now");
      }
    });
    var options = SchedulerOptions.of(SchedulerConfiguration.DEFAULT, 1);
    try (var _ = new Scheduler(lagging, options, InstantSource.system()).start()) {
      cluster.await("the second bind", c -> node(c).equals("a"));
    }
  }

  private static String node(FakeCluster cluster) {
    return cluster.fetch(Resource.PODS, "default", "p").textOrEmpty("spec", "nodeName");
  }
}
