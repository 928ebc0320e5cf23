package io.berth.engine.decide;

import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import java.util.LinkedHashMap;
import java.util.Map;

/// Nodes that other pods wait for: they must take the pod both with and without those.
///
/// A view knows nothing of waiting pods, so these nodes are asked one by one, and those that refuse
/// leave the view for the time of the decision.
final class Crowd {

  private final Views.Kept kept;
  private final Cycle cycle;
  private final ClusterModel cluster;
  private final Map<Integer, Rejection> aside = new LinkedHashMap<>();

  Crowd(Views.Kept kept, Cycle cycle, ClusterModel cluster) {
    this.kept = kept;
    this.cycle = cycle;
    this.cluster = cluster;
  }

  /// Takes the nodes out that refuse the pod because of those who wait, or would anyway.
  void stepAside() {
    for (var name : cluster.nominations().byNode().keySet()) {
      int node = cluster.nodes().find(name);
      if (node >= 0 && cycle.isAwaited(node)) {
        var rejection = cycle.objection(node);
        if (rejection != null) {
          aside.put(node, rejection);
        }
      }
    }
    aside.keySet().forEach(kept.view.groups()::remove);
  }

  void stepBack() {
    aside.keySet().forEach(kept.view::refresh);
  }

  Map<Integer, Rejection> aside() {
    return aside;
  }
}
