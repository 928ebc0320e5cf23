package io.berth.engine.rule;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;

/// Says how well nodes that can host a pod suit it.
public non-sealed interface ScoreRule extends Rule {

  /// Reads the shape and the cluster once, and returns the function to run on node indexes.
  ///
  /// A rule with nothing to say about this shape returns [NodeScore#SKIP].
  NodeScore scoreFor(Shape shape, ClusterModel cluster);

  /// The same as far as the engine may keep it between decisions; by default what follows from
  /// [#watches()] and [NodeScore#normalization()].
  default ScoreForm scoreForm(Shape shape, ClusterModel cluster) {
    return ScoreForm.of(this, shape, cluster);
  }

  /// Whether it scores what it found while it filtered: then it does only where it filters too.
  default boolean restsOnFilter() {
    return false;
  }

  /// The parts that raw scores are made of, where a rule can tell. `feasible` are the nodes that
  /// are scored.
  default Summands summandsFor(Shape shape, ClusterModel cluster, int[] feasible) {
    return Summands.WHOLE;
  }
}
