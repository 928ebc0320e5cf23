package io.berth.engine.rule.spread;

import io.berth.engine.model.Topology;
import java.util.Arrays;

/// How many matching pods one spread constraint counts: by domain, and the smallest count there is.
///
/// Kept by adding up what single nodes contribute. By domain where the topology is shared; where
/// every node is its own domain, by a histogram of the counts.
final class SpreadCounts {

  private static final int NOT_COUNTED = -1;

  private final SpreadConstraint constraint;
  private final Topology topology;
  private final boolean shared;
  private int[] contributed;
  private int[] domainOf;
  private int[] sums = new int[4];
  private int[] nodes = new int[4];
  private int[] histogram = new int[16];
  private int domains;

  /// `shared` where several nodes may be in one domain.
  SpreadCounts(SpreadConstraint constraint, boolean shared, int capacity) {
    this.constraint = constraint;
    this.topology = constraint.topology();
    this.shared = shared;
    this.contributed = new int[capacity];
    Arrays.fill(contributed, NOT_COUNTED);
    this.domainOf = new int[shared ? capacity : 0];
  }

  void grow(int capacity) {
    int old = contributed.length;
    if (capacity > old) {
      contributed = Arrays.copyOf(contributed, capacity);
      Arrays.fill(contributed, old, capacity, NOT_COUNTED);
      if (shared) {
        domainOf = Arrays.copyOf(domainOf, capacity);
      }
    }
  }

  /// Takes over what the pods of a node contribute now, if it counts.
  void refresh(int node) {
    set(node, contributed[node] != NOT_COUNTED);
  }

  /// Takes over what a node contributes now, or that it does not count.
  void set(int node, boolean counted) {
    int before = contributed[node];
    int after = counted ? constraint.podsOn(node) : NOT_COUNTED;
    int domain = topology.domainOf(node);
    if (before == after && !(shared && counted && domainOf[node] != domain)) {
      return;
    }
    if (before != NOT_COUNTED) {
      add(shared ? domainOf[node] : 0, before, -1);
    }
    if (counted) {
      if (shared) {
        domainOf[node] = domain;
      }
      add(domain, after, 1);
    }
    contributed[node] = after;
  }

  private void add(int domain, int pods, int sign) {
    if (shared) {
      if (domain >= sums.length) {
        int size = Math.max(domain + 1, sums.length * 2);
        sums = Arrays.copyOf(sums, size);
        nodes = Arrays.copyOf(nodes, size);
      }
      sums[domain] += sign * pods;
      nodes[domain] += sign;
      domains += sign > 0 && nodes[domain] == 1 ? 1 : 0;
      domains -= sign < 0 && nodes[domain] == 0 ? 1 : 0;
    } else {
      if (pods >= histogram.length) {
        histogram = Arrays.copyOf(histogram, Math.max(pods + 1, histogram.length * 2));
      }
      histogram[pods] += sign;
      domains += sign;
    }
  }

  /// Pods in a domain of a shared topology.
  int inDomain(int domain) {
    return domain < sums.length ? sums[domain] : 0;
  }

  /// Pods on a node that is a domain of its own, negative if it lacks the label; 0 where domains
  /// are shared.
  int own(int node) {
    if (shared) {
      return 0;
    }
    return topology.domainOf(node) == Topology.NONE
        ? SpreadVerdict.MISSING
        : Math.max(0, contributed[node]);
  }

  /// The smallest count of any domain, 0 when there are fewer domains than there must be.
  int fewest() {
    if (domains < constraint.minDomains()) {
      return 0;
    }
    int smallest = Integer.MAX_VALUE;
    if (shared) {
      for (int domain = 0; domain < sums.length; domain++) {
        if (nodes[domain] > 0) {
          smallest = Math.min(smallest, sums[domain]);
        }
      }
      return smallest;
    }
    for (int pods = 0; pods < histogram.length; pods++) {
      if (histogram[pods] > 0) {
        return pods;
      }
    }
    return smallest;
  }
}
