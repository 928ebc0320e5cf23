package io.berth.bench;

import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.engine.Decision;
import java.util.ArrayList;
import java.util.List;

/// Decisions a second for the shapes of scheduler_perf: decide, then assume. No API server, no
/// queue, no binding.
///
/// Expected: at least a hundred times kube-scheduler's scheduling cycle at 5,000 nodes for every
/// shape, inter-pod affinity and spread at most three times the cost of a plain pod, and a cost
/// that grows no faster than the number of nodes. Run with `bench/engine`.
public final class EngineBenchmark {

  /// Pods decided before the cluster is emptied of them again, while the clock stands still.
  private static final int ROUND = 20_000;

  private final double seconds;

  private EngineBenchmark(double seconds) {
    this.seconds = seconds;
  }

  /// `--nodes 1000,5000`, `--shape NAME`, `--seconds S`; shapes beside the workloads:
  /// `change-bind`, `change-label`, `change-node`, `load`, and all that begin with `explain`.
  public static void main(String[] arguments) {
    var nodes = List.of("1000", "5000", "20000");
    var shape = "";
    double seconds = 6;
    for (int i = 0; i < arguments.length; i += 2) {
      switch (arguments[i]) {
        case "--nodes" -> nodes = List.of(arguments[i + 1].split(",", -1));
        case "--shape" -> shape = arguments[i + 1];
        case "--seconds" -> seconds = Double.parseDouble(arguments[i + 1]);
        default -> throw new IllegalArgumentException("unknown option " + arguments[i]);
      }
    }
    for (var count : nodes) {
      new EngineBenchmark(seconds).run(shape, Integer.parseInt(count));
    }
  }

  private void run(String shape, int nodes) {
    if (shape.equals("load")) {
      print(new LoadBenchmark(nodes).run(seconds));
      return;
    }
    for (var workload : Workload.all()) {
      if (shape.isEmpty() || shape.equals(workload.name())) {
        print(workload.fits() ? placements(workload, nodes) : refusals(workload, nodes));
      }
    }
    for (var change : ChangeBenchmark.Change.values()) {
      if (shape.isEmpty() || shape.equals(change.shape())) {
        print(new ChangeBenchmark(nodes, change).run(seconds));
      }
    }
    for (var question : ExplainQuestion.values()) {
      if (shape.isEmpty() || question.shape().startsWith(shape)) {
        print(new ExplainBenchmark(nodes, question).run(seconds));
      }
    }
  }

  /// Pods that find a place, one after the other, until the clock or the room runs out.
  private Tree placements(Workload workload, int nodes) {
    var cluster = new BenchCluster(workload, nodes);
    int room = workload.exclusive() ? nodes - cluster.existing : nodes * 30;
    var pods = BenchCluster.pending(workload.incoming(), Math.min(room, ROUND));
    round(cluster, pods, new Samples(), seconds / 4);
    var samples = new Samples();
    while (samples.seconds() < seconds) {
      round(cluster, pods, samples, seconds);
    }
    return samples.toTree(workload.name(), nodes, cluster.existing);
  }

  private static void round(BenchCluster cluster, Pod[] pods, Samples samples, double seconds) {
    var placed = new ArrayList<Pod>(pods.length);
    samples.begin();
    for (var pod : pods) {
      samples.measure(() -> place(cluster, pod));
      placed.add(pod);
      if (samples.seconds() > seconds) {
        break;
      }
    }
    samples.end();
    placed.forEach(pod -> cluster.engine.forget(pod.namespace(), pod.name()));
  }

  private static void place(BenchCluster cluster, Pod pod) {
    if (!(cluster.engine.decide(pod) instanceof Decision.Placed(var node, _))) {
      throw new IllegalStateException("the benchmark must measure a placement");
    }
    cluster.engine.assume(pod, node);
  }

  /// Pods that find no place; nothing changes between them but the pod.
  private Tree refusals(Workload workload, int nodes) {
    var cluster = new BenchCluster(workload, nodes);
    var pods = BenchCluster.pending(workload.incoming(), 1000);
    refuse(cluster, pods, new Samples(), seconds / 4);
    var samples = new Samples();
    refuse(cluster, pods, samples, seconds);
    return samples.toTree(workload.name(), nodes, cluster.existing);
  }

  private static void refuse(BenchCluster cluster, Pod[] pods, Samples samples, double seconds) {
    samples.begin();
    for (int i = 0; samples.seconds() < seconds; i++) {
      var pod = pods[i % pods.length];
      samples.measure(() -> refuse(cluster, pod));
    }
    samples.end();
  }

  private static void refuse(BenchCluster cluster, Pod pod) {
    if (!(cluster.engine.decide(pod) instanceof Decision.Unschedulable)) {
      throw new IllegalStateException("the benchmark must measure a refusal");
    }
  }

  private static void print(Tree line) {
    System.out.println(Json.text(line));
  }
}
