package io.berth.engine.decide;

import io.berth.engine.model.Topology;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Normalize;
import io.berth.engine.rule.affinity.InterPodAffinity;
import io.berth.engine.rule.spread.SpreadConstraint;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds the best node of a view: normalised scores by group, local scores from the groups' heaps.
///
/// Costs a few operations for each group, whatever the number of nodes. Arrays are reused, so a
/// decision allocates nothing.
final class Ranking {

  static final int NONE = -1;
  private static final int[] NO_NODES = {};

  private final ViewScores scores;
  private final GroupKeys keys;
  private final Groups groups;
  private final GroupFilter filter;
  private final TieBreak tieBreak;
  private final SpreadCounts[] soft;
  private final int[] softDomain;
  private final double[] softWeight;
  private final int[][] seen;
  private int now;
  private final int[] preferenceDomain;

  private int feasible;
  private long taintMax;
  private long affinityMax;
  private long spreadMin;
  private long spreadMax;
  private long preferenceMin;
  private long preferenceMax;

  Ranking(View view, TieBreak tieBreak) {
    this.scores = view.rules().scores();
    this.keys = view.rules().keys();
    this.groups = view.groups();
    this.filter = new GroupFilter(view.rules());
    this.tieBreak = tieBreak;
    this.soft = keys.soft();
    this.softDomain = new int[soft.length];
    this.softWeight = new double[soft.length];
    this.seen = new int[soft.length][];
    for (int c = 0; c < soft.length; c++) {
      var constraint = soft[c].constraint();
      softDomain[c] = constraint.isByHostname() ? -1 : keys.domainComponent(constraint.topology());
      seen[c] = new int[4];
    }
    var preferences = scores.preferences();
    this.preferenceDomain = new int[preferences == null ? 0 : preferences.size()];
    for (int i = 0; preferences != null && i < preferenceDomain.length; i++) {
      preferenceDomain[i] = keys.domainComponent(preferences.counts(i).topology());
    }
  }

  GroupFilter filter() {
    return filter;
  }

  /// How many nodes passed all filters in the last decision.
  int feasible() {
    return feasible;
  }

  /// The best node, or [#NONE] when no node fits.
  ///
  /// Throws [io.berth.engine.rule.CycleException] when the pod's preferences cannot be parsed.
  int best() {
    findFeasible();
    if (feasible == 0) {
      return NONE;
    }
    if (feasible > 1) {
      checkPreferences(scores.nodeAffinity());
      scoreSpread();
      scorePreferences();
    }
    Group best = null;
    long most = 0;
    for (int i = 0; i < groups.count(); i++) {
      var group = groups.get(i);
      if (group.size == 0 || group.objection != GroupFilter.FITS) {
        continue;
      }
      long total = feasible == 1 ? 0 : score(group) + groups.local(group.heap[0]);
      if (best == null || total > most || (total == most && isFirst(group, best))) {
        best = group;
        most = total;
      }
    }
    return best == null ? NONE : best.heap[0];
  }

  private boolean isFirst(Group a, Group b) {
    return tieBreak.key(a.heap[0]) < tieBreak.key(b.heap[0]);
  }

  /// The nodes that came out best in the last decision, best first, and what they scored. Fills the
  /// arrays, which are equally long, and returns how many there are.
  int top(int[] nodes, long[] totals) {
    int count = 0;
    for (int i = 0; i < groups.count(); i++) {
      var group = groups.get(i);
      if (isScored(group)) {
        long shared = feasible == 1 ? 0 : score(group);
        for (int n = 0; n < group.size; n++) {
          int node = group.heap[n];
          long total = feasible == 1 ? 0 : shared + groups.local(node);
          count = insert(node, total, nodes, totals, count);
        }
      }
    }
    return count;
  }

  private int insert(int node, long total, int[] nodes, long[] totals, int count) {
    int place = count;
    while (place > 0 && isBefore(node, total, nodes[place - 1], totals[place - 1])) {
      place--;
    }
    if (place == nodes.length) {
      return count;
    }
    int moved = Math.min(count, nodes.length - 1) - place;
    System.arraycopy(nodes, place, nodes, place + 1, moved);
    System.arraycopy(totals, place, totals, place + 1, moved);
    nodes[place] = node;
    totals[place] = total;
    return Math.min(count + 1, nodes.length);
  }

  private boolean isBefore(int a, long totalOfA, int b, long totalOfB) {
    return totalOfA > totalOfB || (totalOfA == totalOfB && tieBreak.key(a) < tieBreak.key(b));
  }

  private static void checkPreferences(@Nullable NodeScore affinity) {
    if (affinity != null) {
      affinity.begin(NO_NODES);
    }
  }

  private void findFeasible() {
    filter.begin();
    feasible = 0;
    taintMax = 0;
    affinityMax = 0;
    boolean taints = scores.taintWeight() != 0;
    boolean affinity = scores.nodeAffinityWeight() != 0;
    for (int i = 0; i < groups.count(); i++) {
      var group = groups.get(i);
      if (group.size == 0) {
        continue;
      }
      group.objection = filter.objection(group);
      if (group.objection != GroupFilter.FITS) {
        continue;
      }
      feasible += group.size;
      if (taints) {
        taintMax = Math.max(taintMax, keys.taintRaw(group));
      }
      if (affinity) {
        affinityMax = Math.max(affinityMax, keys.nodeAffinityRaw(group));
      }
    }
  }

  private long score(Group group) {
    long score = 0;
    if (scores.taintWeight() != 0) {
      score += scores.taintWeight() * Normalize.byMaxReversed(keys.taintRaw(group), taintMax);
    }
    if (scores.nodeAffinityWeight() != 0) {
      score +=
          scores.nodeAffinityWeight() * Normalize.byMax(keys.nodeAffinityRaw(group), affinityMax);
    }
    if (scores.spreadWeight() != 0 && !isIgnored(group)) {
      score +=
          scores.spreadWeight()
              * SpreadConstraint.normalized(group.spreadRaw, spreadMin, spreadMax);
    }
    if (scores.preferenceWeight() != 0) {
      score +=
          scores.preferenceWeight()
              * InterPodAffinity.normalized(group.affinityRaw, preferenceMin, preferenceMax);
    }
    return score;
  }

  private void scoreSpread() {
    if (scores.spreadWeight() == 0) {
      return;
    }
    for (int c = 0; c < soft.length; c++) {
      softWeight[c] = SpreadConstraint.weight(size(c));
    }
    spreadMin = Long.MAX_VALUE;
    spreadMax = 0;
    for (int i = 0; i < groups.count(); i++) {
      var group = groups.get(i);
      if (isScored(group) && !isIgnored(group)) {
        group.spreadRaw = spreadRaw(group);
        spreadMin = Math.min(spreadMin, group.spreadRaw);
        spreadMax = Math.max(spreadMax, group.spreadRaw);
      }
    }
  }

  private static boolean isScored(Group group) {
    return group.size > 0 && group.objection == GroupFilter.FITS;
  }

  private boolean isIgnored(Group group) {
    if (scores.requiresAllKeys()) {
      for (int c = 0; c < soft.length; c++) {
        if (component(group, c) < 0) {
          return true;
        }
      }
    }
    return false;
  }

  /// The domain in a shared topology, else the node's own count; negative when the label is
  /// missing.
  private int component(Group group, int c) {
    return softDomain[c] >= 0 ? group.key[softDomain[c]] : keys.softCount(group, c);
  }

  // The number of domains among the feasible nodes; those without the label count as one more.
  private int size(int c) {
    now++;
    int size = 0;
    boolean missing = false;
    boolean byHostname = soft[c].constraint().isByHostname();
    for (int i = 0; i < groups.count(); i++) {
      var group = groups.get(i);
      if (!isScored(group) || isIgnored(group)) {
        continue;
      }
      int component = component(group, c);
      if (byHostname || (softDomain[c] < 0 && component >= 0)) {
        size += group.size;
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

  private long spreadRaw(Group group) {
    double score = 0;
    for (int c = 0; c < soft.length; c++) {
      int component = component(group, c);
      if (component != Topology.NONE) {
        long count = softDomain[c] >= 0 ? soft[c].inDomain(component) : component;
        score += count * softWeight[c] + (soft[c].constraint().maxSkew() - 1);
      }
    }
    return Math.round(score);
  }

  private void scorePreferences() {
    var preferences = scores.preferences();
    if (scores.preferenceWeight() == 0 || preferences == null) {
      return;
    }
    preferenceMin = Long.MAX_VALUE;
    preferenceMax = Long.MIN_VALUE;
    for (int i = 0; i < groups.count(); i++) {
      var group = groups.get(i);
      if (!isScored(group)) {
        continue;
      }
      long raw = keys.ownPreference(group);
      for (int p = 0; p < preferenceDomain.length; p++) {
        int at = preferenceDomain[p];
        if (at >= 0 && group.key[at] >= 0) {
          raw += (long) preferences.counts(p).inDomain(group.key[at]) * preferences.weight(p);
        }
      }
      group.affinityRaw = raw;
      preferenceMin = Math.min(preferenceMin, raw);
      preferenceMax = Math.max(preferenceMax, raw);
    }
  }
}
