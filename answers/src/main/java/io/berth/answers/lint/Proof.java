package io.berth.answers.lint;

import io.berth.api.ClusterObject;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Quantity;
import io.berth.api.SchedulerConfiguration;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import java.util.List;
import java.util.Map;

/// Tries with the engine whether a demand can be met at all: on nodes that are ready, uncordoned
/// and empty.
///
/// Rules are all to be met, and other pods only take away: what is refused here is refused in
/// earnest. Demands for other pods are the exception, and their rules bring those along.
final class Proof {

  private static final String FOR_CONDITIONS = "node.kubernetes.io/";
  private static final long SEED = 1;

  private final List<Node> nodes;
  private final List<? extends ClusterObject> namespaces;

  Proof(List<Node> nodes, List<? extends ClusterObject> namespaces) {
    this.nodes = nodes.stream().map(Proof::atItsBest).toList();
    this.namespaces = namespaces;
  }

  /// Never when no nodes are known.
  boolean refuses(Demand demand) {
    return !nodes.isEmpty() && placeable(demand, 1, List.of()) == 0;
  }

  /// How many of `count` such pods find a place, one after the other, beside the others.
  int placeable(Demand demand, int count, List<Demand> others) {
    var engine = new Engine(SchedulerConfiguration.DEFAULT, SEED);
    namespaces.forEach(engine::put);
    nodes.forEach(engine::put);
    for (var other : others) {
      place(other.pod(), engine);
    }
    var pod = demand.pod();
    for (int i = 0; i < count; i++) {
      if (!place(pod.withName(pod.name() + "-" + i), engine)) {
        return i;
      }
    }
    return count;
  }

  private static boolean place(Pod pod, Engine engine) {
    if (engine.decide(pod) instanceof Decision.Placed(var node, _)) {
      engine.assume(pod, node);
      return true;
    }
    return false;
  }

  private static Node atItsBest(Node node) {
    var lasting =
        node.taints().stream().filter(taint -> !taint.key().startsWith(FOR_CONDITIONS)).toList();
    var room = Map.of("pods", Quantity.of(Integer.MAX_VALUE));
    return new Node(node.name(), node.labels(), false, lasting, room, List.of(), List.of());
  }
}
