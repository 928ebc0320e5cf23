package io.berth.engine.rule.affinity;

import io.berth.engine.model.DomainCounts;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.GroupScore;
import io.berth.engine.rule.Normalization;
import java.util.Arrays;
import java.util.List;

/// Preferences of a shape and of the pods around it, asked about groups of nodes.
///
/// What those weigh whose domains nodes do not share is one number of the key.
final class AffinityGroupScore implements GroupScore {

  private final DomainCounts[] counts;
  private final int[] weights;
  private int[] domainAt = {};
  private int ownAt;

  AffinityGroupScore(AffinityPreferences preferences) {
    this.counts = preferences.counts();
    this.weights = preferences.weights();
  }

  @Override
  public List<Topology> topologies() {
    return Arrays.stream(counts).map(DomainCounts::topology).toList();
  }

  @Override
  public int podComponents() {
    return 1;
  }

  @Override
  public void place(Places places) {
    domainAt = places.domains();
    ownAt = places.pods();
  }

  @Override
  public void readPods(int node, int[] key) {
    int sum = 0;
    for (int i = 0; i < counts.length; i++) {
      if (domainAt[i] == Places.OWN) {
        sum += counts[i].at(node) * weights[i];
      }
    }
    key[ownAt] = sum;
  }

  @Override
  public long raw(int[] key) {
    long sum = key[ownAt];
    for (int i = 0; i < counts.length; i++) {
      int at = domainAt[i];
      if (at != Places.OWN && key[at] != Topology.NONE) {
        sum += (long) counts[i].inDomain(key[at]) * weights[i];
      }
    }
    return sum;
  }

  @Override
  public Normalization normalization() {
    return Normalization.BY_RANGE;
  }
}
