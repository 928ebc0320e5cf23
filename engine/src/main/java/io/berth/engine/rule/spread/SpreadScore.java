package io.berth.engine.rule.spread;

import io.berth.engine.Summand;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.RunningSum;
import java.util.List;

/// The soft constraints of a shape: fewer matching pods in the node's domains score higher.
final class SpreadScore implements NodeScore {

  private final SpreadConstraint[] constraints;
  private final boolean requiresAllKeys;
  private final ClusterModel cluster;
  private final long[][] counts;
  private final double[] weights;

  SpreadScore(SpreadConstraint[] constraints, boolean requiresAllKeys, ClusterModel cluster) {
    this.constraints = constraints;
    this.requiresAllKeys = requiresAllKeys;
    this.cluster = cluster;
    this.counts = new long[constraints.length][];
    this.weights = new double[constraints.length];
  }

  @Override
  public boolean begin(int[] feasible) {
    for (int c = 0; c < constraints.length; c++) {
      counts[c] = new long[constraints[c].topology().domainCount()];
      weights[c] = SpreadConstraint.weight(size(c, feasible));
    }
    var nodes = cluster.nodes();
    for (int node = 0; node < nodes.limit(); node++) {
      if (nodes.isPresent(node) && !isIgnored(node)) {
        count(node);
      }
    }
    return true;
  }

  // As in Kubernetes, nodes that lack the key, where they are scored at all, are in one domain with
  // those that have it with an empty value.
  private static int domainOf(Topology topology, int node) {
    int domain = topology.domainOf(node);
    return domain == Topology.NONE ? topology.emptyDomain() : domain;
  }

  private int size(int c, int[] feasible) {
    var constraint = constraints[c];
    var seen = new boolean[constraint.topology().domainCount() + 1];
    int size = 0;
    for (int node : feasible) {
      if (isIgnored(node)) {
        continue;
      }
      int domain = domainOf(constraint.topology(), node) + 1;
      if (constraint.isByHostname() || !seen[domain]) {
        seen[domain] = true;
        size++;
      }
    }
    return size;
  }

  private void count(int node) {
    for (int c = 0; c < constraints.length; c++) {
      int domain = domainOf(constraints[c].topology(), node);
      if (domain != Topology.NONE && constraints[c].includes(node)) {
        counts[c][domain] += constraints[c].podsOn(node);
      }
    }
  }

  private boolean isIgnored(int node) {
    return requiresAllKeys && !SpreadConstraint.hasAllKeys(constraints, node);
  }

  @Override
  public long raw(int node) {
    if (isIgnored(node)) {
      return 0;
    }
    double score = 0;
    for (int c = 0; c < constraints.length; c++) {
      score += part(c, node);
    }
    return Math.round(score);
  }

  private double part(int c, int node) {
    int domain = constraints[c].topology().domainOf(node);
    if (domain == Topology.NONE) {
      return 0;
    }
    long count = constraints[c].isByHostname() ? constraints[c].podsOn(node) : counts[c][domain];
    return constraints[c].score(count, weights[c]);
  }

  /// What each constraint adds.
  List<Summand> summands(int node) {
    var parts = new RunningSum();
    double score = 0;
    for (int c = 0; c < constraints.length && !isIgnored(node); c++) {
      score += part(c, node);
      parts.reach("pods counted by " + constraints[c].topology().key(), Math.round(score));
    }
    return parts.parts();
  }

  @Override
  public void normalize(long[] scores, int[] feasible) {
    long min = Long.MAX_VALUE;
    long max = 0;
    for (int i = 0; i < scores.length; i++) {
      if (!isIgnored(feasible[i])) {
        min = Math.min(min, scores[i]);
        max = Math.max(max, scores[i]);
      }
    }
    for (int i = 0; i < scores.length; i++) {
      scores[i] =
          isIgnored(feasible[i]) ? 0 : SpreadConstraint.FEWEST_FIRST.of(scores[i], min, max);
    }
  }
}
