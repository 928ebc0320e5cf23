package io.berth.engine.rule.node;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;

/// Keeps pods that need a node feature to nodes that declare it.
public final class NodeDeclaredFeatures implements FilterRule {

  static final Verdict MISSING =
      Verdict.unresolvable("node(s) didn't match Pod's required features");

  @Override
  public String name() {
    return "NodeDeclaredFeatures";
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(Kind.NODE_ADD, Kind.NODE_UPDATE_FEATURES, Kind.TARGET_POD_UPDATE);
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var needed = new HashSet<>(shape.spec().features());
    shape.spec().containers().forEach(container -> needed.addAll(container.features()));
    shape.spec().initContainers().forEach(container -> needed.addAll(container.features()));
    if (needed.isEmpty()) {
      return NodeTest.ALL;
    }
    var nodes = cluster.nodes();
    return node -> nodes.node(node).declaredFeatures().containsAll(needed) ? FITS : MISSING;
  }
}
