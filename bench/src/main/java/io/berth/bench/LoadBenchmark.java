package io.berth.bench;

import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.PodReader;
import io.berth.engine.Decision;
import java.util.ArrayList;
import java.util.List;

/// A large cluster with ten pods a node of a realistic mix: Deployments of a hundred replicas, most
/// of them plain, some with affinity, anti-affinity or spread.
///
/// Expected with 100,000 nodes: loaded in under a minute, at most 8 GiB of heap, at least 2,000
/// decisions a second.
final class LoadBenchmark {

  private static final int REPLICAS = 100;

  private final int nodes;

  LoadBenchmark(int nodes) {
    this.nodes = nodes;
  }

  Tree run(double seconds) {
    long begin = System.nanoTime();
    var empty =
        new Workload(
            "load",
            List.of("zone1", "zone2", "zone3"),
            List.of(Templates.plain()),
            List.of(),
            0,
            false,
            true,
            false,
            2);
    var cluster = new BenchCluster(empty, nodes);
    int pods = nodes * 10;
    for (int i = 0; i < pods; i++) {
      cluster.engine.put(running(i));
    }
    double load = (System.nanoTime() - begin) / 1e9;
    var incoming = incoming();
    measure(cluster, incoming, new Samples(), seconds / 4);
    var samples = new Samples();
    while (samples.seconds() < seconds) {
      measure(cluster, incoming, samples, seconds);
    }
    var line = samples.toTree("load", nodes, pods);
    return line.put("loadSeconds", Math.round(load * 10) / 10.0).put("heapMiB", usedHeap());
  }

  private Pod running(int i) {
    int deployment = i / REPLICAS;
    var pod = BenchCluster.named(template(deployment), namespace(deployment), "old-" + i);
    // Replicas of a Deployment lie far apart, as the default spreading places them.
    long node = (i * 7919L) % nodes;
    pod.child("spec").put("nodeName", BenchCluster.nodeName((int) node));
    return PodReader.read(pod);
  }

  private static Tree template(int deployment) {
    var template =
        switch (deployment % 10) {
          case 6 -> Templates.preferredPodAntiAffinity(Templates.Scope.NAMED);
          case 7 -> Templates.spread("ScheduleAnyway");
          case 8 -> Templates.preferredNodeAffinity();
          case 9 -> Templates.preferredPodAffinity(Templates.Scope.NAMED);
          default -> Templates.plain();
        };
    template.child("metadata").child("labels").put("app", "app-" + deployment);
    return template;
  }

  private static String namespace(int deployment) {
    return "team-" + deployment % 50;
  }

  private static List<Pod> incoming() {
    var pods = new ArrayList<Pod>();
    for (int i = 0; i < 5000; i++) {
      int deployment = i / REPLICAS;
      pods.add(
          PodReader.read(
              BenchCluster.named(template(deployment), namespace(deployment), "new-" + i)));
    }
    return pods;
  }

  private static void measure(
      BenchCluster cluster, List<Pod> incoming, Samples samples, double seconds) {
    var placed = new ArrayList<Pod>();
    samples.begin();
    for (var pod : incoming) {
      samples.measure(() -> {
        if (cluster.engine.decide(pod) instanceof Decision.Placed(var node, _)) {
          cluster.engine.assume(pod, node);
        } else {
          throw new IllegalStateException("the benchmark must measure a placement");
        }
      });
      placed.add(pod);
      if (samples.seconds() > seconds) {
        break;
      }
    }
    samples.end();
    placed.forEach(pod -> cluster.engine.forget(pod.namespace(), pod.name()));
  }

  private static long usedHeap() {
    System.gc();
    var runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }
}
