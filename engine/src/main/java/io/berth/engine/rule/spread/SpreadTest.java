package io.berth.engine.rule.spread;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import java.util.Arrays;

/// The hard constraints of a shape against the present counts of all domains.
final class SpreadTest extends SpreadVerdict implements NodeTest {

  private static final int ABSENT = -1;

  private final int[][] counts;
  private final int[] domains;
  private final int[] smallest;
  private final int[] smallestTimes;
  private final int[] next;
  private final int[] trial;
  private int node;

  SpreadTest(SpreadConstraint[] constraints, ClusterModel cluster) {
    super(constraints);
    this.counts = new int[constraints.length][];
    this.domains = new int[constraints.length];
    this.smallest = new int[constraints.length];
    this.smallestTimes = new int[constraints.length];
    this.next = new int[constraints.length];
    this.trial = new int[constraints.length];
    for (int c = 0; c < constraints.length; c++) {
      counts[c] = new int[constraints[c].topology().domainCount()];
      Arrays.fill(counts[c], ABSENT);
    }
    var nodes = cluster.nodes();
    for (int node = 0; node < nodes.limit(); node++) {
      if (nodes.isPresent(node) && SpreadConstraint.hasAllKeys(constraints, node)) {
        count(node);
      }
    }
    for (int c = 0; c < constraints.length; c++) {
      findSmallest(c);
    }
  }

  private void count(int node) {
    for (int c = 0; c < constraints.length; c++) {
      if (constraints[c].includes(node)) {
        int domain = constraints[c].topology().domainOf(node);
        counts[c][domain] = Math.max(0, counts[c][domain]) + constraints[c].podsOn(node);
      }
    }
  }

  /// How many domains the c-th constraint counts in.
  int domains(int c) {
    return domains[c];
  }

  boolean isCounted(int c, int domain) {
    return counts[c][domain] != ABSENT;
  }

  int count(int c, int domain) {
    return Math.max(0, counts[c][domain]);
  }

  /// How many the c-th constraint counts where there are fewest.
  int fewest(int c) {
    return domains[c] < constraints[c].minDomains() ? 0 : smallest[c];
  }

  private void findSmallest(int c) {
    smallest[c] = Integer.MAX_VALUE;
    next[c] = Integer.MAX_VALUE;
    for (int count : counts[c]) {
      if (count == ABSENT) {
        continue;
      }
      domains[c]++;
      if (count < smallest[c]) {
        next[c] = smallest[c];
        smallest[c] = count;
        smallestTimes[c] = 1;
      } else if (count == smallest[c]) {
        smallestTimes[c]++;
      } else {
        next[c] = Math.min(next[c], count);
      }
    }
  }

  @Override
  public Verdict verdict(int asked) {
    node = asked;
    return verdict();
  }

  @Override
  int here(int c) {
    int domain = constraints[c].topology().domainOf(node);
    return domain == Topology.NONE ? MISSING : Math.max(0, counts[c][domain]) + trial[c];
  }

  @Override
  int fewest(int c, int here) {
    if (domains[c] < constraints[c].minDomains()) {
      return 0;
    }
    int counted = counts[c][constraints[c].topology().domainOf(node)];
    if (counted == ABSENT) {
      return smallest[c];
    }
    boolean alone = counted == smallest[c] && smallestTimes[c] == 1;
    return Math.min(here, alone ? next[c] : smallest[c]);
  }

  @Override
  public void pretend(Shape pod, int node, int sign) {
    if (!SpreadConstraint.hasAllKeys(constraints, node)) {
      return;
    }
    for (int c = 0; c < constraints.length; c++) {
      if (constraints[c].countsInTrial(pod) && constraints[c].includes(node)) {
        trial[c] += sign;
      }
    }
  }

  @Override
  public void endTrial() {
    Arrays.fill(trial, 0);
  }
}
