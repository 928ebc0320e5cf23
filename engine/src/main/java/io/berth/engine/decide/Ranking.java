package io.berth.engine.decide;

import io.berth.engine.rule.GroupScore;
import io.berth.engine.rule.Normalization;
import java.util.Arrays;

/// Finds the best node of a view: normalised scores by group, local scores from the groups' heaps.
///
/// Costs a few operations for each group, whatever the number of nodes. Arrays are reused, so a
/// decision allocates nothing.
final class Ranking implements GroupScore.Feasible {

  static final int NONE = -1;

  private final GroupScore[] scores;
  private final long[] weights;
  private final Normalization[] normalizations;
  private final long[] least;
  private final long[] most;
  private final Groups groups;
  private final GroupFilter filter;
  private final TieBreak tieBreak;

  private Group[] left = {};
  private int count;
  private int feasible;

  Ranking(View view, TieBreak tieBreak) {
    this.scores = view.rules().scores().ofGroups();
    this.weights = view.rules().scores().groupWeights();
    this.normalizations = new Normalization[scores.length];
    for (int s = 0; s < scores.length; s++) {
      normalizations[s] = scores[s].normalization();
    }
    this.least = new long[scores.length];
    this.most = new long[scores.length];
    this.groups = view.groups();
    this.filter = new GroupFilter(view.rules().filters(), view.objections());
    this.tieBreak = tieBreak;
  }

  GroupFilter filter() {
    return filter;
  }

  /// How many nodes passed all filters in the last decision.
  int feasible() {
    return feasible;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public int[] key(int group) {
    return left[group].key;
  }

  @Override
  public int nodes(int group) {
    return left[group].size;
  }

  /// The best node, or [#NONE] when no node fits.
  int best() {
    findFeasible();
    if (feasible == 0) {
      return NONE;
    }
    if (feasible > 1) {
      readScores();
    }
    var best = left[0];
    long highest = total(best);
    for (int i = 1; i < count; i++) {
      var group = left[i];
      long total = total(group);
      if (total > highest || (total == highest && isFirst(group, best))) {
        best = group;
        highest = total;
      }
    }
    return best.heap[0];
  }

  private void findFeasible() {
    filter.begin();
    feasible = 0;
    count = 0;
    if (left.length < groups.count()) {
      left = Arrays.copyOf(left, groups.capacity());
    }
    for (int i = 0; i < groups.count(); i++) {
      var group = groups.get(i);
      if (group.size == 0) {
        continue;
      }
      group.objection = filter.objection(group);
      if (group.objection == Objections.NONE) {
        feasible += group.size;
        left[count++] = group;
      }
    }
  }

  private void readScores() {
    for (int s = 0; s < scores.length; s++) {
      var score = scores[s];
      score.begin(this);
      long low = Long.MAX_VALUE;
      long high = Long.MIN_VALUE;
      for (int i = 0; i < count; i++) {
        long raw = score.raw(left[i].key);
        left[i].raws[s] = raw;
        if (raw != GroupScore.IGNORED) {
          low = Math.min(low, raw);
          high = Math.max(high, raw);
        }
      }
      least[s] = low;
      most[s] = high;
    }
  }

  /// The total of the group's best node; nothing is scored when there is only one.
  private long total(Group group) {
    return feasible == 1 ? 0 : score(group) + groups.local(group.heap[0]);
  }

  private long score(Group group) {
    long sum = 0;
    for (int s = 0; s < scores.length; s++) {
      long raw = group.raws[s];
      if (raw != GroupScore.IGNORED) {
        sum += weights[s] * normalizations[s].of(raw, least[s], most[s]);
      }
    }
    return sum;
  }

  private boolean isFirst(Group a, Group b) {
    return tieBreak.key(a.heap[0]) < tieBreak.key(b.heap[0]);
  }

  /// The nodes that came out best in the last decision, best first, and what they scored. Fills the
  /// arrays, which are equally long, and returns how many there are.
  int top(int[] nodes, long[] totals) {
    int found = 0;
    for (int i = 0; i < count; i++) {
      var group = left[i];
      long shared = feasible == 1 ? 0 : score(group);
      for (int n = 0; n < group.size; n++) {
        int node = group.heap[n];
        long total = feasible == 1 ? 0 : shared + groups.local(node);
        found = insert(node, total, nodes, totals, found);
      }
    }
    return found;
  }

  private int insert(int node, long total, int[] nodes, long[] totals, int found) {
    int place = found;
    while (place > 0 && isBefore(node, total, nodes[place - 1], totals[place - 1])) {
      place--;
    }
    if (place == nodes.length) {
      return found;
    }
    int moved = Math.min(found, nodes.length - 1) - place;
    System.arraycopy(nodes, place, nodes, place + 1, moved);
    System.arraycopy(totals, place, totals, place + 1, moved);
    nodes[place] = node;
    totals[place] = total;
    return Math.min(found + 1, nodes.length);
  }

  private boolean isBefore(int a, long totalOfA, int b, long totalOfB) {
    return totalOfA > totalOfB || (totalOfA == totalOfB && tieBreak.key(a) < tieBreak.key(b));
  }
}
