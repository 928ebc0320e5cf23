package io.berth.engine.rule.spread;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.GroupScore;
import io.berth.engine.rule.Normalization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The soft constraints of a shape, asked about groups of nodes.
///
/// A key holds a count for each constraint whose domains nodes do not share. As in Kubernetes, host
/// names count the node's own pods, whatever the inclusion policies say and whoever shares the
/// name.
final class SpreadGroupScore implements GroupScore {

  private final SpreadConstraint[] constraints;
  private final boolean requiresAllKeys;
  private final ClusterModel cluster;
  private final SpreadCounts[] counts;
  private final int[] domainAt;
  private final double[] weights;
  private final int[][] seen;
  private int now;
  private int ownAt;

  SpreadGroupScore(SpreadConstraint[] constraints, boolean requiresAllKeys, ClusterModel cluster) {
    this.constraints = constraints;
    this.requiresAllKeys = requiresAllKeys;
    this.cluster = cluster;
    this.counts = new SpreadCounts[constraints.length];
    this.domainAt = new int[constraints.length];
    this.weights = new double[constraints.length];
    this.seen = new int[constraints.length][4];
  }

  @Override
  public List<Topology> topologies() {
    var topologies = new ArrayList<Topology>();
    for (var constraint : constraints) {
      if (!constraint.isByHostname()) {
        topologies.add(constraint.topology());
      }
    }
    return topologies;
  }

  @Override
  public int podComponents() {
    return constraints.length;
  }

  @Override
  public void place(Places places) {
    ownAt = places.pods();
    int next = 0;
    for (int c = 0; c < constraints.length; c++) {
      domainAt[c] = constraints[c].isByHostname() ? Places.OWN : places.domains()[next++];
      boolean shared = domainAt[c] != Places.OWN;
      counts[c] = new SpreadCounts(constraints[c], shared, cluster.nodes().capacity());
    }
  }

  @Override
  public void grow(int capacity) {
    for (var each : counts) {
      each.grow(capacity);
    }
  }

  @Override
  public void readNode(int node, int[] key) {
    boolean scored = !requiresAllKeys || SpreadConstraint.hasAllKeys(constraints, node);
    for (int c = 0; c < counts.length; c++) {
      boolean has = constraints[c].topology().domainOf(node) != Topology.NONE;
      counts[c].set(node, scored && has && constraints[c].includes(node));
    }
  }

  @Override
  public void readPods(int node, int[] key) {
    for (int c = 0; c < counts.length; c++) {
      counts[c].refresh(node);
      key[ownAt + c] =
          constraints[c].isByHostname() ? byHostname(constraints[c], node) : counts[c].own(node);
    }
  }

  private static int byHostname(SpreadConstraint constraint, int node) {
    return constraint.topology().domainOf(node) == Topology.NONE
        ? SpreadVerdict.MISSING
        : constraint.podsOn(node);
  }

  @Override
  public void forget(int node) {
    for (var each : counts) {
      each.set(node, false);
    }
  }

  @Override
  public void begin(Feasible groups) {
    for (int c = 0; c < constraints.length; c++) {
      weights[c] = SpreadConstraint.weight(size(c, groups));
    }
  }

  // The number of domains among the feasible nodes; those without the label count as one more.
  private int size(int c, Feasible groups) {
    now++;
    int size = 0;
    boolean missing = false;
    boolean byHostname = constraints[c].isByHostname();
    for (int i = 0; i < groups.count(); i++) {
      var key = groups.key(i);
      if (isIgnored(key)) {
        continue;
      }
      int component = component(key, c);
      if (byHostname || (domainAt[c] == Places.OWN && component >= 0)) {
        size += groups.nodes(i);
      } else if (component < 0) {
        missing = true;
      } else if (isNew(c, component)) {
        size++;
      }
    }
    return missing ? size + 1 : size;
  }

  private boolean isNew(int c, int domain) {
    if (domain >= seen[c].length) {
      seen[c] = Arrays.copyOf(seen[c], Math.max(domain + 1, seen[c].length * 2));
    }
    boolean isNew = seen[c][domain] != now;
    seen[c][domain] = now;
    return isNew;
  }

  private boolean isIgnored(int[] key) {
    if (requiresAllKeys) {
      for (int c = 0; c < constraints.length; c++) {
        if (component(key, c) < 0) {
          return true;
        }
      }
    }
    return false;
  }

  /// The domain in a shared topology, else the node's own count; negative when the label is
  /// missing.
  private int component(int[] key, int c) {
    return domainAt[c] == Places.OWN ? key[ownAt + c] : key[domainAt[c]];
  }

  @Override
  public long raw(int[] key) {
    if (isIgnored(key)) {
      return IGNORED;
    }
    double score = 0;
    for (int c = 0; c < constraints.length; c++) {
      int component = component(key, c);
      if (component >= 0) {
        long count = domainAt[c] == Places.OWN ? component : counts[c].inDomain(component);
        score += constraints[c].score(count, weights[c]);
      }
    }
    return Math.round(score);
  }

  @Override
  public Normalization normalization() {
    return SpreadConstraint.FEWEST_FIRST;
  }
}
