package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds what to take so that an ask finds room, and never more than that.
///
/// With few candidates every combination is tried, the cheapest first, so the answer is the least
/// that helps. With many, candidates are taken in order until there is room, and then everything is
/// put back that is not needed after all: nothing of the answer could be spared. That is done node
/// by node, and for the smallest units wherever they are; a single unit that does it alone is
/// looked for as well, and the cheapest answer stands.
final class VictimSearch {

  /// Up to so many candidates all combinations are tried.
  static final int EXACT = 8;

  /// So many are tried alone, the cheapest first.
  private static final int SINGLES = 32;

  /// So many are taken, the cheapest first wherever they are, before that way is given up.
  private static final int SCATTERED = 64;

  private static final int ALL = Integer.MAX_VALUE;

  /// Who may be taken, and whether there is room now.
  interface Trial {

    /// Whether it may ever be taken, whatever else is taken before.
    boolean isCandidate(Unit unit);

    /// Asked anew before each step: what was taken so far is gone from the books.
    boolean mayTake(Unit unit);

    /// Places the ask (and whatever must be placed with it), or changes nothing.
    boolean settle(List<Unit> taken);

    /// What whole devices alone say about the ask.
    Headroom headroom();

    /// The nodes the ask was placed on.
    Set<String> nodes();
  }

  private final Ground ground;
  private final Pool pool;
  private final long[] asked;
  private final long[] free;
  private final Trial trial;

  private final Headroom headroom;

  /// Where the ground was before the choice that is being tried.
  private int start;

  VictimSearch(Ground ground, Pool pool, long[] asked, long[] free, Trial trial) {
    this.ground = ground;
    this.pool = pool;
    this.asked = asked;
    this.free = free;
    this.trial = trial;
    this.headroom = trial.headroom();
  }

  /// What was taken, with the ask settled; or `null`, with everything as it was.
  ///
  /// `byNode` holds the candidates, and possibly others, node by node.
  @Nullable List<Unit> find(List<Unit> candidates, List<Unit> byNode) {
    var open = new ArrayList<Unit>();
    var sum = free.clone();
    for (var unit : candidates) {
      if (trial.isCandidate(unit)) {
        open.add(unit);
        unit.openTo(this);
        add(sum, unit, 1);
      }
    }
    if (open.isEmpty() || !isEnough(sum) || !headroom.isEnoughWithout(open)) {
      return null;
    }
    return open.size() <= EXACT ? exact(open) : cheaper(open, byNode);
  }

  private @Nullable List<Unit> exact(List<Unit> open) {
    start = ground.checkpoint();
    var ways = new Ways(open);
    var choices = new ArrayList<List<Unit>>();
    for (int mask = 1; mask < 1 << open.size(); mask++) {
      var choice = new ArrayList<Unit>();
      var sum = free.clone();
      for (int i = 0; i < open.size(); i++) {
        if ((mask & 1 << i) != 0) {
          choice.add(open.get(i));
          add(sum, open.get(i), 1);
        }
      }
      if (isEnough(sum) && isClosed(choice)) {
        choices.add(choice);
      }
    }
    choices.sort(BY_COST);
    for (var choice : choices) {
      if (headroom.isEnoughWithout(choice)
          && (take(choice) || ways.take(choice))
          && trial.settle(choice)) {
        return choice;
      }
      untake(choice);
    }
    return null;
  }

  /// The orders in which sets of a few units may be taken: what books allow depends on it.
  private final class Ways {

    private final List<Unit> open;

    /// By set of units, the last of an order in which it may be taken; 0 if there is none.
    private int @Nullable [] last;

    Ways(List<Unit> open) {
      this.open = open;
    }

    /// Takes all in some order, or none.
    boolean take(List<Unit> choice) {
      int mask = 0;
      for (var unit : choice) {
        mask |= 1 << open.indexOf(unit);
      }
      var found = last;
      if (found == null) {
        found = new int[1 << open.size()];
        last = found;
        follow(0, found);
      }
      if (found[mask] == 0) {
        return false;
      }
      var order = new ArrayList<Unit>();
      for (int rest = mask; rest != 0; rest ^= found[rest]) {
        order.addFirst(open.get(Integer.numberOfTrailingZeros(found[rest])));
      }
      start = ground.checkpoint();
      order.forEach(unit -> unit.take(ground));
      return true;
    }

    private void follow(int mask, int[] found) {
      for (int i = 0; i < open.size(); i++) {
        var unit = open.get(i);
        int more = mask | 1 << i;
        if (found[more] == 0 && more != mask && unit.isReady() && trial.mayTake(unit)) {
          found[more] = 1 << i;
          int before = ground.checkpoint();
          unit.take(ground);
          follow(more, found);
          ground.rollback(before);
          unit.mark(false);
        }
      }
    }
  }

  private static boolean isClosed(List<Unit> choice) {
    return choice.stream().allMatch(unit -> choice.containsAll(unit.before));
  }

  /// Takes all or none. The smallest go first: so the books allow nearly as much as they ever do.
  private boolean take(List<Unit> choice) {
    start = ground.checkpoint();
    var order = new ArrayList<>(choice);
    order.sort(BY_AMOUNTS);
    for (boolean progress = true; progress && !order.isEmpty(); ) {
      progress = false;
      for (var unit : List.copyOf(order)) {
        if (unit.isReady() && trial.mayTake(unit)) {
          unit.take(ground);
          order.remove(unit);
          progress = true;
        }
      }
    }
    if (!order.isEmpty()) {
      untake(choice);
    }
    return order.isEmpty();
  }

  private void untake(List<Unit> choice) {
    ground.rollback(start);
    choice.forEach(unit -> unit.mark(false));
  }

  /// The cheapest of three answers: one unit alone, whole nodes, and the smallest units anywhere.
  private @Nullable List<Unit> cheaper(List<Unit> open, List<Unit> byNode) {
    var best = single(open);
    if (best != null && isNoMoreThanAsked(best)) {
      return best;
    }
    best = best == null ? null : undone(best);
    var openByNode = new ArrayList<Unit>();
    for (var unit : byNode) {
      if (unit.isOpenTo(this)) {
        openByNode.add(unit);
      }
    }
    best = cheapest(best, several(openByNode, ALL));
    if (best == null || !isNoMoreThanAsked(best)) {
      best = cheapest(best, several(open, SCATTERED));
    }
    return best == null ? null : again(best);
  }

  private @Nullable List<Unit> cheapest(@Nullable List<Unit> best, @Nullable List<Unit> found) {
    if (found == null) {
      return best;
    }
    undone(found);
    return best == null || BY_COST.compare(found, best) < 0 ? found : best;
  }

  private List<Unit> undone(List<Unit> choice) {
    untake(choice);
    return choice;
  }

  private boolean isNoMoreThanAsked(List<Unit> choice) {
    var cost = cost(choice);
    for (int r = 0; r < cost.length; r++) {
      if (cost[r] > asked[r]) {
        return false;
      }
    }
    return true;
  }

  private @Nullable List<Unit> again(List<Unit> choice) {
    return take(choice) && trial.settle(choice) ? choice : null;
  }

  private @Nullable List<Unit> single(List<Unit> open) {
    start = ground.checkpoint();
    int tried = 0;
    for (var unit : open) {
      if (unit.before.isEmpty() && isEnoughWith(unit)) {
        if (tried++ == SINGLES) {
          return null;
        }
        var choice = List.of(unit);
        if (headroom.isEnoughWithout(choice) && take(choice) && trial.settle(choice)) {
          return choice;
        }
        untake(choice);
      }
    }
    return null;
  }

  private @Nullable List<Unit> several(List<Unit> open, int most) {
    start = ground.checkpoint();
    int first = start;
    var taken = new ArrayList<Unit>();
    var sum = free.clone();
    int next = 1;
    // Taking one may allow another that was not allowed before: once more around.
    for (boolean progress = true; progress; ) {
      progress = false;
      for (var unit : open) {
        if (unit.isTaken() || !unit.isReady() || !trial.mayTake(unit)) {
          continue;
        }
        if (taken.size() == most) {
          untake(taken);
          return null;
        }
        progress = true;
        unit.take(ground);
        taken.add(unit);
        add(sum, unit, 1);
        if (taken.size() >= next && isEnough(sum)) {
          if (fits(taken)) {
            return prune(taken, sum, first);
          }
          // Each trial costs as much as the ask is large: their number grows with the logarithm.
          next = taken.size() + Math.max(1, taken.size() / 2);
        }
      }
    }
    if (isEnough(sum) && fits(taken)) {
      return prune(taken, sum, first);
    }
    start = first;
    untake(taken);
    return null;
  }

  /// Whether there is room, without staying there.
  private boolean fits(List<Unit> taken) {
    if (!headroom.isEnough()) {
      return false;
    }
    int before = ground.checkpoint();
    boolean fits = trial.settle(taken);
    ground.rollback(before);
    return fits;
  }

  /// Puts back what is not needed: all that is elsewhere at once, then one after the other.
  private List<Unit> prune(List<Unit> taken, long[] sum, int first) {
    var nodes = trial.nodes();
    var elsewhere = new ArrayList<Unit>();
    for (var unit : taken.reversed()) {
      if (!unit.isOn(nodes) && allLaterAreBack(unit, taken, elsewhere)) {
        elsewhere.add(unit);
      }
    }
    putBack(elsewhere, taken, sum);
    var rest = new ArrayList<>(taken);
    rest.sort(BY_SIZE.reversed());
    for (boolean progress = true; progress; ) {
      progress = false;
      for (var unit : List.copyOf(rest)) {
        boolean spared = isSpare(unit, sum) && allLaterAreBack(unit, taken, List.of());
        if (spared && putBack(List.of(unit), taken, sum)) {
          rest.remove(unit);
          progress = true;
        }
      }
    }
    start = first;
    if (trial.settle(taken)) {
      return taken;
    }
    throw new IllegalStateException("there was room a moment ago, and nothing has changed");
  }

  /// An extra can come back only to a gang that is there.
  private static boolean allLaterAreBack(Unit unit, List<Unit> taken, List<Unit> leaving) {
    for (var other : taken) {
      if (other.before.contains(unit) && !leaving.contains(other)) {
        return false;
      }
    }
    return true;
  }

  private boolean isSpare(Unit unit, long[] sum) {
    add(sum, unit, -1);
    boolean spare = isEnough(sum);
    add(sum, unit, 1);
    return spare;
  }

  private boolean putBack(List<Unit> units, List<Unit> taken, long[] sum) {
    int before = ground.checkpoint();
    var left = new ArrayList<>(taken);
    left.removeAll(new HashSet<>(units));
    units.forEach(unit -> unit.restore(ground, pool));
    if (!units.isEmpty() && fits(left)) {
      taken.removeAll(new HashSet<>(units));
      units.forEach(unit -> add(sum, unit, -1));
      return true;
    }
    ground.rollback(before);
    units.forEach(unit -> unit.mark(true));
    return false;
  }

  private static void add(long[] sum, Unit unit, int sign) {
    for (int r = 0; r < sum.length; r++) {
      sum[r] += sign * unit.amounts[r];
    }
  }

  private boolean isEnoughWith(Unit unit) {
    for (int r = 0; r < Counted.COUNT; r++) {
      if (asked[r] > 0 && free[r] + unit.amounts[r] < asked[r]) {
        return false;
      }
    }
    return true;
  }

  private boolean isEnough(long[] sum) {
    for (int r = 0; r < Counted.COUNT; r++) {
      if (asked[r] > 0 && sum[r] < asked[r]) {
        return false;
      }
    }
    return true;
  }

  /// The cheapest first: least of the running, GPUs before all; then the fewest; then less
  /// priority.
  static final Comparator<Unit> BY_SIZE = (a, b) -> Arrays.compare(a.cost, b.cost);

  private static final Comparator<Unit> BY_AMOUNTS = (a, b) -> Arrays.compare(a.amounts, b.amounts);

  static final Comparator<Unit> BY_NODE =
      Comparator.<Unit, Boolean>comparing(unit -> !unit.before.isEmpty())
          .thenComparing(unit -> unit.firstNode)
          .thenComparing(BY_SIZE)
          .thenComparing(unit -> unit.slots.getFirst().key());

  private static final Comparator<List<Unit>> BY_COST =
      ((Comparator<List<Unit>>) VictimSearch::compare)
          .thenComparingLong(choice -> jobs(choice))
          .thenComparingInt(choice -> choice.size())
          .thenComparingInt(choice -> priority(choice));

  private static int compare(List<Unit> a, List<Unit> b) {
    return Arrays.compare(cost(a), cost(b));
  }

  private static long[] cost(List<Unit> choice) {
    var sum = new long[Counted.COUNT];
    for (var unit : choice) {
      for (int r = 0; r < sum.length; r++) {
        sum[r] += unit.cost[r];
      }
    }
    return sum;
  }

  private static long jobs(List<Unit> choice) {
    return choice.stream().map(unit -> unit.job).distinct().count();
  }

  private static int priority(List<Unit> choice) {
    return Collections.max(choice.stream().map(unit -> unit.job.gang.priority()).toList());
  }
}
