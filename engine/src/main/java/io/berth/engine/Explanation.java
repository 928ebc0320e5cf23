package io.berth.engine;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A decision, and what stands in the pod's way on the nodes that do not take it.
///
/// Obstacles are in the order in which rules run, all of every rule on every node; nodes with the
/// same causes and the same pods to blame are one obstacle.
public record Explanation(Decision decision, List<Obstacle> obstacles) {

  public Explanation {
    obstacles = List.copyOf(obstacles);
  }

  /// One rule's objection, what is behind it, and the nodes it holds for. On `firstOn` of these it
  /// is the first objection. `blame` is absent where no eviction helps.
  public record Obstacle(
      Rejection rejection,
      List<Cause> causes,
      @Nullable Blame blame,
      List<String> nodes,
      int firstOn) {

    public Obstacle {
      causes = List.copyOf(causes);
      nodes = List.copyOf(nodes);
    }
  }

  /// What stands in the way on one node, in the order in which rules run.
  public List<Obstacle> on(String node) {
    return obstacles.stream().filter(each -> each.nodes().contains(node)).toList();
  }

  /// How many nodes each reason holds for, counting the first objection to each node.
  public Map<String, Integer> reasons() {
    var counts = new TreeMap<String, Integer>();
    for (var obstacle : obstacles) {
      if (obstacle.firstOn() > 0) {
        for (var reason : obstacle.rejection().reasons()) {
          counts.merge(reason, obstacle.firstOn(), Integer::sum);
        }
      }
    }
    return counts;
  }
}
