package io.berth.engine.rule;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;

/// What the engine may keep of a filter between decisions about one shape, and what that rests on.
public sealed interface FilterForm {

  FilterForm SILENT = new Silent(Premise.ALWAYS);
  FilterForm LONG_WAY = new LongWay();

  /// Objects to no node.
  record Silent(Premise premise) implements FilterForm {}

  /// Depends on the node object alone: asked about a node when that changes.
  record OfNode(NodeTest test, Premise premise) implements FilterForm {}

  /// Depends on the node and the pods on it: asked about a node when either changes.
  record OfPods(NodeTest test, Premise premise) implements FilterForm {}

  /// Depends on counts by domain: asked about groups of nodes at every decision.
  record ByDomain(GroupTest test, Premise premise) implements FilterForm {}

  /// Has to be asked about every node at every decision.
  record LongWay() implements FilterForm {

    @Override
    public Premise premise() {
      return Premise.ALWAYS;
    }
  }

  Premise premise();

  /// The form that follows from what a rule watches.
  static FilterForm of(FilterRule rule, Shape shape, ClusterModel cluster) {
    var test = rule.testFor(shape, cluster);
    boolean silent = test.equals(NodeTest.ALL);
    if (rule.watches().contains(Watch.CLUSTER)) {
      Premise stillSilent = () -> rule.testFor(shape, cluster).equals(NodeTest.ALL);
      return silent ? new Silent(stillSilent) : LONG_WAY;
    }
    if (test.veto() != null || test.onlyNodes() != null) {
      return LONG_WAY;
    }
    if (silent) {
      return SILENT;
    }
    return rule.watches().contains(Watch.PODS_ON_NODE)
        ? new OfPods(test, Premise.ALWAYS)
        : new OfNode(test, Premise.ALWAYS);
  }
}
