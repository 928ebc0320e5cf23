package io.berth.engine.rule.node;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.api.Pod;
import io.berth.api.Taint;
import io.berth.engine.Cause;
import io.berth.engine.ClusterEvent;
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
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    var why = new Why(List.of(Cause.ofPod(name(), "spec.tolerations", "", "cordoned")), null);
    return _ -> why;
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(Kind.NODE_ADD, Kind.NODE_UPDATE_TAINT, Kind.TARGET_POD_UPDATE_TOLERATION);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    if (event.kind() == Kind.TARGET_POD_UPDATE_TOLERATION) {
      return pod.spec().tolerates(CORDONED);
    }
    var before = event.oldNode();
    return !event.node().unschedulable() && (before == null || before.unschedulable());
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
    return node -> nodes.isUnschedulable(node) ? UNSCHEDULABLE : FITS;
  }
}
