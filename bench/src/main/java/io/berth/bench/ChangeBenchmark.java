package io.berth.bench;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.NodeReader;
import io.berth.codec.PodReader;
import io.berth.engine.Decision;
import java.util.List;

/// What one change costs together with the decision after it.
///
/// Expected: about the same at any number of nodes, because a view is brought up to date only where
/// something changed. The pods prefer company and spread, so counters over domains are touched too.
final class ChangeBenchmark {

  enum Change {
    BIND("change-bind"),
    LABEL("change-label"),
    NODE("change-node");

    private final String shape;

    Change(String shape) {
      this.shape = shape;
    }

    String shape() {
      return shape;
    }
  }

  private final Change change;
  private final BenchCluster cluster;
  private final Pod pod;
  private final Pod[] bound = new Pod[2];
  private final Node[] labelled = new Node[2];
  private final Node joining;

  ChangeBenchmark(int nodes, Change change) {
    this.change = change;
    var template = Templates.preferredPodAffinity(Templates.Scope.NAMED);
    var workload =
        new Workload(
            change.shape(),
            List.of("zone1", "zone2", "zone3"),
            List.of(template),
            List.of(template),
            1,
            false,
            true,
            false,
            2);
    this.cluster = new BenchCluster(workload, nodes);
    this.pod = BenchCluster.pending(workload.incoming(), 1)[0];
    for (int i = 0; i < 2; i++) {
      var running = BenchCluster.named(template, "sched-0", "moving");
      running.child("spec").put("nodeName", BenchCluster.nodeName(i));
      bound[i] = PodReader.read(running);
      labelled[i] = NodeReader.read(BenchCluster.node(7, i == 0 ? "zone1" : "zone2"));
    }
    this.joining = NodeReader.read(BenchCluster.node(nodes, "zone1"));
  }

  Tree run(double seconds) {
    measure(new Samples(), seconds / 4);
    var samples = new Samples();
    measure(samples, seconds);
    return samples.toTree(change.shape(), cluster.nodes, cluster.existing);
  }

  private void measure(Samples samples, double seconds) {
    samples.begin();
    for (int i = 0; samples.seconds() < seconds; i++) {
      int turn = i % 2;
      samples.measure(() -> changeAndDecide(turn));
    }
    samples.end();
  }

  private void changeAndDecide(int turn) {
    switch (change) {
      case BIND -> cluster.engine.put(bound[turn]);
      case LABEL -> cluster.engine.put(labelled[turn]);
      case NODE -> {
        if (turn == 0) {
          cluster.engine.put(joining);
        } else {
          cluster.engine.remove(joining.reference());
        }
      }
    }
    if (!(cluster.engine.decide(pod) instanceof Decision.Placed)) {
      throw new IllegalStateException("the benchmark must measure a placement");
    }
  }
}
