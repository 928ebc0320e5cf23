package io.berth.engine.rule;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;

/// Says how well nodes that can host a pod suit it.
public non-sealed interface ScoreRule extends Rule {

  /// Reads the shape and the cluster once, and returns the function to run on node indexes.
  ///
  /// A rule with nothing to say about this shape returns [NodeScore#SKIP].
  NodeScore scoreFor(Shape shape, ClusterModel cluster);
}
