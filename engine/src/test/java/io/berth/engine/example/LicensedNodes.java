package io.berth.engine.example;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.Set;

/// Keeps pods that ask for a license to nodes that carry it.
public final class LicensedNodes implements FilterRule {

  static final String LABEL = "example.com/license";

  // Evicting pods does not bring a license, so preemption is pointless here.
  static final Verdict UNLICENSED =
      Verdict.unresolvable("node(s) didn't carry the license the pod asks for");

  @Override
  public String name() {
    return "LicensedNodes";
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.NODE);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var license = shape.labels().get(LABEL);
    if (license == null) {
      return NodeTest.ALL;
    }
    var nodes = cluster.nodes();
    return node -> license.equals(nodes.node(node).labels().get(LABEL)) ? Verdict.FITS : UNLICENSED;
  }
}
