package io.berth.engine.rule.node;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.engine.Cause;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.Causes.Why;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Keeps pods that need a node feature to nodes that declare it.
public final class NodeDeclaredFeatures implements FilterRule {

  static final Verdict MISSING =
      Verdict.unresolvable("node(s) didn't match Pod's required features");

  @Override
  public String name() {
    return "NodeDeclaredFeatures";
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    var needed = needed(shape);
    return node -> {
      var declared = new TreeSet<>(cluster.nodes().node(node).declaredFeatures());
      var cause = Cause.ofPod(name(), "spec", "features " + needed, "features " + declared);
      return new Why(List.of(cause), null);
    };
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
    var needed = needed(shape);
    if (needed.isEmpty()) {
      return NodeTest.ALL;
    }
    var nodes = cluster.nodes();
    return node -> nodes.node(node).declaredFeatures().containsAll(needed) ? FITS : MISSING;
  }

  private static Set<String> needed(Shape shape) {
    var needed = new TreeSet<>(shape.spec().features());
    shape.spec().containers().forEach(container -> needed.addAll(container.features()));
    shape.spec().initContainers().forEach(container -> needed.addAll(container.features()));
    return needed;
  }
}
