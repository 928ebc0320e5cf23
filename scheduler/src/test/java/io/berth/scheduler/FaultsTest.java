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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A scheduler on an API that fails, with a rival that binds pods behind its back and a node that
/// goes away under it: every pod is bound, once, and no node takes more than it has.
class FaultsTest {

  private static final int PODS = 60;
  private static final int CPUS = 12;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void neverBindsTwiceNorTooMuch(long seed) throws InterruptedException {
    var cluster = new FakeCluster(InstantSource.system());
    for (int i = 0; i < 6; i++) {
      cluster.create(Resource.NODES, nodeTree("n" + i, String.valueOf(CPUS)));
    }
    var foreign = nodeTree("foreign", "1000");
    foreign.child("spec").put("unschedulable", true);
    cluster.create(Resource.NODES, foreign);
    var faulty = new FaultyCluster(cluster, seed, rival(cluster));
    var options = SchedulerOptions.of(SchedulerConfiguration.DEFAULT, seed).withMillis(tenfold());
    try (var scheduler = new Scheduler(faulty, options, InstantSource.system())) {
      scheduler.start();
      for (int i = 0; i < PODS; i++) {
        cluster.create(Resource.PODS, podTree("p" + i, ""));
      }
      cluster.await("all pods are bound", now -> unbound(now).isEmpty());
    }

    assertThat(violations(cluster.history())).isEmpty();
  }

  /// Time at ten times its speed: pauses after errors are whole seconds.
  private static LongSupplier tenfold() {
    long begin = System.nanoTime();
    return () -> 10 * (System.nanoTime() - begin) / 1_000_000;
  }

  /// Takes every ninth pod for itself, and removes a node in the middle of it all.
  private static FaultyCluster.Saboteur rival(FakeCluster cluster) {
    var binds = new AtomicInteger();
    return (pod, _) -> {
      int count = binds.incrementAndGet();
      if (count % 9 == 0
          && cluster.find(Resource.PODS, "default", pod).filter(FaultsTest::isFree).isPresent()) {
        cluster.edit(
            Resource.PODS,
            "default",
            pod,
            tree -> {
              if (isFree(tree)) {
                tree.child("spec").put("nodeName", "foreign");
              }
            });
      }
      if (count == PODS / 2) {
        cluster.delete(Resource.NODES, "", "n5", new DeleteOptions(0, null, null));
      }
    };
  }

  private static boolean isFree(Tree pod) {
    return node(pod).isEmpty();
  }

  private static String node(Tree pod) {
    return pod.textOrEmpty("spec", "nodeName");
  }

  private static List<String> unbound(FakeCluster cluster) {
    return cluster.all(Resource.PODS).stream()
        .filter(FaultsTest::isFree)
        .map(pod -> pod.textOrEmpty("metadata", "name"))
        .toList();
  }

  /// Reads the history of the API alone, and knows nothing of the scheduler.
  private static List<String> violations(List<FakeCluster.Change> history) {
    var violations = new ArrayList<String>();
    Map<String, String> nodeOf = new HashMap<>();
    Map<String, Integer> taken = new HashMap<>();
    for (var change : history) {
      var object = change.object();
      if (!change.resource().equals("pods") || node(object).isEmpty()) {
        continue;
      }
      var name = object.textOrEmpty("metadata", "name");
      var before = nodeOf.put(name, node(object));
      if (before == null) {
        int sum = taken.merge(node(object), 1, Integer::sum);
        if (sum > CPUS && !node(object).equals("foreign")) {
          violations.add(
              "%s holds %d pods at revision %d".formatted(node(object), sum, change.revision()));
        }
      } else if (!before.equals(node(object))) {
        violations.add("%s moved from %s to %s".formatted(name, before, node(object)));
      }
    }
    return violations;
  }
}
