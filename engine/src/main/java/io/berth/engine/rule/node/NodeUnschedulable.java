package io.berth.engine.rule.node;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.Taint;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.Set;

/// Keeps pods off cordoned nodes, unless they tolerate the taint that goes with it.
public final class NodeUnschedulable implements FilterRule {

  static final Verdict UNSCHEDULABLE = Verdict.unresolvable("node(s) were unschedulable");

  private static final Taint CORDONED =
      new Taint("node.kubernetes.io/unschedulable", "", Taint.NO_SCHEDULE);

  @Override
  public String name() {
    return "NodeUnschedulable";
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    if (shape.spec().tolerates(CORDONED)) {
      return NodeTest.ALL;
    }
    var nodes = cluster.nodes();
    return node -> nodes.node(node).unschedulable() ? UNSCHEDULABLE : FITS;
  }
}
