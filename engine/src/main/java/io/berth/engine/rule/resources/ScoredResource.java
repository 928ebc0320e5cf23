package io.berth.engine.rule.resources;

import io.berth.api.Quantity;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.ResourceNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// One resource as scoring sees it: what the pod asks, and the node's columns.
///
/// A scalar resource the pod does not ask for is left out; other resources count even at 0.
final class ScoredResource {

  private static final int CPU = -1;
  private static final int MEMORY = -2;
  private static final int EPHEMERAL = -3;

  final String name;
  final long asked;
  final long weight;
  private final int column;
  private final boolean real;
  private final NodeTable nodes;

  private ScoredResource(
      String name, int column, long asked, long weight, boolean real, NodeTable nodes) {
    this.name = name;
    this.column = column;
    this.asked = asked;
    this.weight = weight;
    this.real = real;
    this.nodes = nodes;
  }

  /// `real` takes what pods ask for; otherwise pods that ask for nothing count a little.
  static ScoredResource[] of(
      List<ResourceWeight> weights,
      Map<String, Quantity> requests,
      boolean real,
      ClusterModel cluster) {
    var resources = new ArrayList<ScoredResource>();
    for (var weight : weights) {
      var name = weight.name();
      var request = requests.getOrDefault(name, Quantity.ZERO);
      long asked = name.equals("cpu") ? request.milliValue() : request.value();
      if (asked == 0 && ResourceNames.isScalar(name)) {
        continue;
      }
      int column =
          switch (name) {
            case "cpu" -> CPU;
            case "memory" -> MEMORY;
            case "ephemeral-storage" -> EPHEMERAL;
            default -> cluster.resources().idOf(name);
          };
      resources.add(
          new ScoredResource(name, column, asked, weight.weight(), real, cluster.nodes()));
    }
    return resources.toArray(ScoredResource[]::new);
  }

  long allocatable(int node) {
    return switch (column) {
      case CPU -> nodes.cpuAllocatable(node);
      case MEMORY -> nodes.memoryAllocatable(node);
      case EPHEMERAL -> nodes.ephemeralAllocatable(node);
      default -> nodes.scalarAllocatable(column, node);
    };
  }

  long taken(int node) {
    return switch (column) {
      case CPU -> real ? nodes.cpuRequested(node) : nodes.cpuNonZero(node);
      case MEMORY -> real ? nodes.memoryRequested(node) : nodes.memoryNonZero(node);
      case EPHEMERAL -> nodes.ephemeralRequested(node);
      default -> nodes.scalarRequested(column, node);
    };
  }
}
