package io.berth.engine.rule;

import io.berth.api.Pod;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import java.util.EnumSet;
import java.util.Set;

/// Rules out nodes that cannot host a pod.
public non-sealed interface FilterRule extends Rule {

  /// Reads the shape and the cluster once, and returns the test to run on node indexes.
  ///
  /// The test captures what it needs; the rule keeps nothing between decisions. A rule with nothing
  /// to say about this shape returns [NodeTest#ALL].
  NodeTest testFor(Shape shape, ClusterModel cluster);

  /// The same as far as the engine may keep it between decisions; by default what follows from
  /// [#watches()]. A rule that counts by domain says so here, and is asked about groups of nodes.
  default FilterForm filterForm(Shape shape, ClusterModel cluster) {
    return FilterForm.of(this, shape, cluster);
  }

  /// What is behind this rule's objections to the shape.
  default Causes causesFor(Shape shape, ClusterModel cluster) {
    return Causes.UNKNOWN;
  }

  /// The kinds of events that may end a refusal by this rule; by default all.
  default Set<Kind> wakes() {
    return EnumSet.allOf(Kind.class);
  }

  /// Whether this event, of a kind that wakes, may turn the rule's refusal of this pod around.
  default boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return true;
  }
}
