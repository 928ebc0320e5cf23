package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Whether an ask may have what others lose by it.
///
/// Queues are compared right below where their branches meet. Before each loss the queue that loses
/// must be beyond what it may keep; or, if the side that asks stays within what it deserves, beyond
/// what it deserves itself. How much is left to it afterwards does not matter: one large gang is
/// taken whole or not at all.
///
/// That alone would let two sides take the same room from each other for ever: after all losses, at
/// each level, the side that asks must be within its fair share, or at least nearer to it than all
/// those beside it who lost.
final class Reclaimable {

  private static final long[] NOTHING = new long[Counted.COUNT];

  private final Ask ask;
  private final Queue own;
  private final long[] asked;
  private final List<Unit> lost;
  private final Map<Queue, long[]> left = new HashMap<>();
  private final Map<Queue, boolean[]> involved = new HashMap<>();

  /// The books have none of `lost`; they have what of the ask is placed.
  Reclaimable(Ask ask, Queue own, long[] asked, List<Unit> lost) {
    this.ask = ask;
    this.own = own;
    this.asked = asked;
    this.lost = lost;
  }

  /// Whether anything of `other` could be taken at all.
  static boolean isEver(Queue own, long[] asked, Queue other) {
    var theirs = other.below(own);
    var mine = own.below(other);
    return isBeyond(theirs.allocated, theirs.allocatable)
        || (mine.staysWithin(mine.deserved, asked) && isBeyond(theirs.allocated, theirs.deserved));
  }

  /// What a side can lose at most before it is no longer beyond.
  static Side side(Queue own, long[] asked, Queue theirs) {
    var mine = own.below(theirs);
    // Whatever else those around the one who asks may lose, it has what it has.
    boolean mayStayWithin = true;
    for (int r = 0; r < asked.length; r++) {
      mayStayWithin &= own.allocated[r] + asked[r] <= mine.deserved[r];
    }
    int gpu = Counted.GPU.index();
    long beyond = 0;
    for (int r = 0; r < asked.length; r++) {
      long measure =
          mayStayWithin
              ? Math.min(theirs.deserved[r], theirs.allocatable[r])
              : theirs.allocatable[r];
      if (theirs.allocated[r] > measure) {
        beyond = r == gpu ? theirs.allocated[r] - measure : Long.MAX_VALUE;
      }
    }
    var claim = Claim.of(mine, asked, NOTHING);
    boolean comesFirst = Claim.ORDER.compare(Claim.of(theirs, NOTHING, NOTHING), claim) < 0;
    return new Side(beyond, comesFirst);
  }

  boolean allowed() {
    for (var slot : ask.slots()) {
      if (slot.node != null) {
        addUp(own, slot.amounts, -1);
      }
    }
    for (var unit : lost) {
      boolean there = unit.slots.getFirst().node != null;
      if (!there) {
        addUp(unit.queue, unit.amounts, 1);
      }
    }
    for (var unit : lost) {
      if (!isTakeable(unit)) {
        return false;
      }
      addUp(unit.queue, unit.amounts, -1);
      involve(unit);
    }
    return staysBelowThoseBeside();
  }

  private boolean isTakeable(Unit unit) {
    var theirs = unit.queue.below(own);
    var mine = own.below(unit.queue);
    var theirLeft = leftOf(theirs);
    return (!unit.earned && isBeyond(theirLeft, theirs.allocatable))
        || (isBeyond(theirLeft, theirs.deserved) && isWithinDeserved(mine));
  }

  private boolean isWithinDeserved(Queue mine) {
    var used = leftOf(mine);
    for (int r = 0; r < used.length; r++) {
      if (used[r] + asked[r] > mine.deserved[r]) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBeyond(long[] used, long[] measure) {
    for (int r = 0; r < used.length; r++) {
      if (used[r] > measure[r]) {
        return true;
      }
    }
    return false;
  }

  private boolean staysBelowThoseBeside() {
    for (var mine = own; mine != null; mine = mine.parent) {
      for (var other : involved.keySet()) {
        boolean beside =
            other.parent == null ? mine.parent == null : other.parent.equals(mine.parent);
        if (beside && !other.equals(mine) && !staysBelow(mine, other)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean staysBelow(Queue mine, Queue other) {
    var counts = involved.getOrDefault(other, new boolean[Counted.COUNT]);
    for (int r = 0; r < Counted.COUNT; r++) {
      long used = leftOf(mine)[r] + asked[r];
      if ((counts[r] || asked[r] > 0) && used > mine.fairShare[r] && other.fairShare[r] > 0) {
        var own = Ratio.of(used, mine.fairShare[r]);
        if (own.compareTo(Ratio.of(leftOf(other)[r], other.fairShare[r])) >= 0) {
          return false;
        }
      }
    }
    return true;
  }

  private void involve(Unit unit) {
    for (var queue = unit.queue; queue != null; queue = queue.parent) {
      var counts = involved.computeIfAbsent(queue, _ -> new boolean[Counted.COUNT]);
      for (int r = 0; r < counts.length; r++) {
        counts[r] |= unit.amounts[r] > 0;
      }
    }
  }

  private long[] leftOf(Queue queue) {
    return left.computeIfAbsent(queue, each -> each.allocated.clone());
  }

  private void addUp(Queue leaf, long[] amounts, int sign) {
    for (var queue = leaf; queue != null; queue = queue.parent) {
      var sum = leftOf(queue);
      for (int r = 0; r < sum.length; r++) {
        sum[r] += sign * amounts[r];
      }
    }
  }
}
