package io.berth.engine.model;

import java.util.ArrayList;
import java.util.List;

/// Counts pods that match all of some scopes, by node and by domain.
///
/// A term of a pod's preferred affinity or anti-affinity has one scope; required affinity counts
/// pods that match all terms at once. Topology spread leaves terminating pods out.
public final class Term {

  final List<Scope> scopes;
  final boolean livingOnly;
  private final IntCounts perNode = new IntCounts();
  private final List<DomainCounts> byTopology = new ArrayList<>(1);

  Term(List<Scope> scopes, boolean livingOnly) {
    this.scopes = scopes;
    this.livingOnly = livingOnly;
  }

  public int onNode(int node) {
    return perNode.get(node);
  }

  /// The counts of this term by the domains of a topology.
  public DomainCounts by(Topology topology) {
    for (int i = 0; i < byTopology.size(); i++) {
      if (byTopology.get(i).topology() == topology) {
        return byTopology.get(i);
      }
    }
    var counts = new DomainCounts(topology, perNode);
    perNode.forEach((node, value) -> counts.add(node, value, value));
    byTopology.add(counts);
    return counts;
  }

  void add(int node, int delta) {
    perNode.add(node, delta);
    for (int i = 0; i < byTopology.size(); i++) {
      byTopology.get(i).add(node, delta, delta);
    }
  }
}
