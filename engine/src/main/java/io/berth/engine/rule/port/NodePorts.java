package io.berth.engine.rule.port;

import static io.berth.engine.rule.Verdict.FITS;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.Set;

/// Keeps pods off nodes where a host port they want is taken.
public final class NodePorts implements FilterRule {

  static final Verdict TAKEN =
      Verdict.unschedulable("node(s) didn't have free ports for the requested pod ports");

  @Override
  public String name() {
    return "NodePorts";
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.PODS_ON_NODE);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var wanted = shape.ports();
    if (wanted.length == 0) {
      return NodeTest.ALL;
    }
    var nodes = cluster.nodes();
    return node -> {
      var used = nodes.ports(node);
      if (used != null) {
        for (var port : wanted) {
          if (used.conflictsWith(port)) {
            return TAKEN;
          }
        }
      }
      return FITS;
    };
  }
}
