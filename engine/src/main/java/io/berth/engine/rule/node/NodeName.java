package io.berth.engine.rule.node;

import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Watch;
import java.util.EnumSet;
import java.util.Set;

/// Keeps a pod to the node its spec names. Pods that come here name none, so this never objects.
public final class NodeName implements FilterRule {

  @Override
  public String name() {
    return "NodeName";
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(Kind.NODE_ADD);
  }

  @Override
  public Set<Watch> watches() {
    return Set.of();
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    return NodeTest.ALL;
  }
}
