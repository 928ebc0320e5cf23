package io.berth.engine.rule;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;

/// Rules out nodes that cannot host a pod.
public non-sealed interface FilterRule extends Rule {

  /// Reads the shape and the cluster once, and returns the test to run on node indexes.
  ///
  /// The test captures what it needs; the rule keeps nothing between decisions. A rule with nothing
  /// to say about this shape returns [NodeTest#ALL].
  NodeTest testFor(Shape shape, ClusterModel cluster);
}
