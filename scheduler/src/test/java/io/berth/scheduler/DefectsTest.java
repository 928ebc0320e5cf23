package io.berth.scheduler;

import static io.berth.scheduler.Samples.nodeTree;
import static io.berth.scheduler.Samples.podTree;

import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.SchedulerConfiguration;
import io.berth.codec.Yaml;
import io.berth.engine.Preemption.Candidate;
import io.berth.testing.FakeCluster;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// A defect in the middle of an attempt: nobody is lost by it.
class DefectsTest {

  private final FakeCluster cluster = new FakeCluster(InstantSource.system());

  @Test
  void aPodWhoseDecisionBrokeIsTriedAgain() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "4"));
    cluster.create(Resource.PODS, podTree("unlucky", ""));

    try (var _ = schedulerWith(new Broken(1))) {
      cluster.await("its node", _ -> node("unlucky").equals("a"));
    }
  }

  @Test
  void aGroupWhoseDecisionBrokeIsTriedAgain() throws Exception {
    cluster.create(Resource.NODES, nodeTree("a", "4"));
    cluster.create(
        Resource.POD_GROUPS,
        Yaml.read(
            """
            apiVersion: scheduling.k8s.io/v1beta1
            kind: PodGroup
            metadata: {name: gang, namespace: default}
            spec: {schedulingPolicy: {gang: {minCount: 2}}}
            """));
    for (var name : List.of("one", "two")) {
      cluster.create(Resource.PODS, podTree(name, "schedulingGroup: {podGroupName: gang}"));
    }

    try (var _ = schedulerWith(new Broken(2))) {
      cluster.await("their node", _ -> node("one").equals("a") && node("two").equals("a"));
    }
  }

  private Scheduler schedulerWith(Extender extender) throws InterruptedException {
    var options =
        SchedulerOptions.of(SchedulerConfiguration.DEFAULT, 1).withExtenders(List.of(extender));
    return new Scheduler(cluster, options, InstantSource.system()).start();
  }

  private String node(String pod) {
    return cluster.fetch(Resource.PODS, "default", pod).textOrEmpty("spec", "nodeName");
  }

  /// Fails in a way that nobody expects, the given number of times.
  private static final class Broken implements Extender {

    private final AtomicInteger left;

    Broken(int times) {
      left = new AtomicInteger(times);
    }

    @Override
    public String name() {
      return "broken";
    }

    @Override
    public boolean ignorable() {
      return false;
    }

    @Override
    public boolean isInterestedIn(Pod pod) {
      return true;
    }

    @Override
    public boolean has(Verb verb) {
      return verb == Verb.FILTER;
    }

    @Override
    public long weight() {
      return 1;
    }

    @Override
    public Filtered filter(Pod pod, List<String> nodes) {
      if (left.getAndDecrement() > 0) {
        throw new IllegalStateException("a defect");
      }
      return new Filtered(nodes, Map.of(), Map.of());
    }

    @Override
    public Map<String, Long> prioritize(Pod pod, List<String> nodes) {
      return Map.of();
    }

    @Override
    public void bind(Pod pod, String node) {}

    @Override
    public Map<String, Candidate> preempt(Pod pod, Map<String, Candidate> candidates) {
      return candidates;
    }
  }
}
