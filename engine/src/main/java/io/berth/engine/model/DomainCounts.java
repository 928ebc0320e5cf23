package io.berth.engine.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A sparse column of nodes, summed up by the domains of one topology.
///
/// `carriers` counts the pods on nodes that have the topology's label. The sums by domain are kept
/// only once the topology is shared: before that, the domain's sum is the node's.
public final class DomainCounts {

  private final Topology topology;
  private final IntCounts perNode;
  private int @Nullable [] sums;
  private int carriers;

  DomainCounts(Topology topology, IntCounts perNode) {
    this.topology = topology;
    this.perNode = perNode;
  }

  public Topology topology() {
    return topology;
  }

  /// The sum of the node's domain, 0 where the label is missing.
  public int at(int node) {
    int domain = topology.domainOf(node);
    if (domain == Topology.NONE) {
      return 0;
    }
    return topology.isShared() ? inDomain(domain) : perNode.get(node);
  }

  /// The sum of a domain of a shared topology.
  public int inDomain(int domain) {
    var known = sums;
    if (known == null) {
      known = summed();
    }
    return domain < known.length ? known[domain] : 0;
  }

  public int carriers() {
    return carriers;
  }

  void add(int node, int delta, int pods) {
    int domain = topology.domainOf(node);
    if (domain == Topology.NONE) {
      return;
    }
    carriers += pods;
    if (sums != null) {
      if (domain >= sums.length) {
        sums = Arrays.copyOf(sums, Math.max(domain + 1, sums.length * 2));
      }
      sums[domain] += delta;
    }
  }

  private int[] summed() {
    var computed = new int[Math.max(4, topology.domainCount())];
    perNode.forEach((node, value) -> {
      int domain = topology.domainOf(node);
      if (domain != Topology.NONE) {
        computed[domain] += value;
      }
    });
    sums = computed;
    return computed;
  }
}
