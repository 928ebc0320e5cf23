package io.berth.engine.rule.spread;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.GroupTest;
import io.berth.engine.rule.Verdict;
import java.util.Arrays;
import java.util.List;

/// The hard constraints of a shape, asked about groups of nodes.
///
/// A key holds a count for each constraint whose domains nodes do not share.
final class SpreadGroupTest extends SpreadVerdict implements GroupTest {

  private static final int[] NO_KEY = {};

  private final ClusterModel cluster;
  private final SpreadCounts[] counts;
  private final int[] fewest;
  private Places places = new Places(NO_KEY, 0, 0);
  private int[] key = NO_KEY;

  SpreadGroupTest(SpreadConstraint[] constraints, ClusterModel cluster) {
    super(constraints);
    this.cluster = cluster;
    this.counts = new SpreadCounts[constraints.length];
    this.fewest = new int[constraints.length];
  }

  @Override
  public List<Topology> topologies() {
    return Arrays.stream(constraints).map(SpreadConstraint::topology).toList();
  }

  @Override
  public int podComponents() {
    return constraints.length;
  }

  @Override
  public void place(Places given) {
    places = given;
    for (int c = 0; c < counts.length; c++) {
      boolean shared = given.domains()[c] != Places.OWN;
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
  public void readNode(int node, int[] into) {
    boolean counted = SpreadConstraint.hasAllKeys(constraints, node);
    for (int c = 0; c < counts.length; c++) {
      counts[c].set(node, counted && constraints[c].includes(node));
    }
  }

  @Override
  public void readPods(int node, int[] into) {
    for (int c = 0; c < counts.length; c++) {
      counts[c].refresh(node);
      into[places.pods() + c] = counts[c].own(node);
    }
  }

  @Override
  public void forget(int node) {
    for (var each : counts) {
      each.set(node, false);
    }
  }

  @Override
  public void begin() {
    for (int c = 0; c < counts.length; c++) {
      fewest[c] = counts[c].fewest();
    }
  }

  @Override
  public Verdict verdict(int[] asked) {
    key = asked;
    return verdict();
  }

  @Override
  int here(int c) {
    int at = places.domains()[c];
    if (at == Places.OWN) {
      return key[places.pods() + c];
    }
    int domain = key[at];
    return domain == Topology.NONE ? MISSING : counts[c].inDomain(domain);
  }

  @Override
  int fewest(int c, int here) {
    return fewest[c];
  }
}
