package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.ArrayList;
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
  private final Map<Queue, long[]> left = new HashMap<>();
  private final Map<Queue, long[]> involved = new HashMap<>();

  Reclaimable(Ask ask, Queue own, long[] asked) {
    this.ask = ask;
    this.own = own;
    this.asked = asked;
  }

  /// Whether anything of `other` could be taken at all.
  static boolean isEver(Queue own, long[] asked, Queue other) {
    var theirs = other.below(own);
    var mine = own.below(other);
    return isBeyond(theirs.allocated, theirs.allocatable)
        || (mine.staysWithin(mine.deserved, asked) && isBeyond(theirs.allocated, theirs.deserved));
  }

  /// Whether all of these may be lost. The books have what of the ask is placed.
  boolean allows(List<Unit> lost) {
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
      lose(unit, 1);
    }
    return staysBelowThoseBeside();
  }

  /// All of these that may be lost, each with those before it. Nothing has been taken yet.
  List<Unit> of(List<Unit> candidates) {
    var found = new ArrayList<Unit>();
    for (var unit : candidates) {
      if (isTakeable(unit)) {
        lose(unit, 1);
        if (staysBelowThoseBeside()) {
          found.add(unit);
        } else {
          lose(unit, -1);
        }
      }
    }
    return found;
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
    var losses = involved.getOrDefault(other, NOTHING);
    return staysBelow(mine, leftOf(mine), asked, other, leftOf(other), losses);
  }

  /// Whether `mine` ends within its fair share, or nearer to it than `other`, in what is asked for
  /// or lost.
  static boolean staysBelow(
      Queue mine, long[] used, long[] asked, Queue other, long[] left, long[] losses) {
    for (int r = 0; r < Counted.COUNT; r++) {
      long wanted = used[r] + asked[r];
      boolean counts = losses[r] > 0 || asked[r] > 0;
      if (counts && wanted > mine.fairShare[r] && other.fairShare[r] > 0) {
        var own = Ratio.of(wanted, mine.fairShare[r]);
        if (own.compareTo(Ratio.of(left[r], other.fairShare[r])) >= 0) {
          return false;
        }
      }
    }
    return true;
  }

  private void lose(Unit unit, int sign) {
    addUp(unit.queue, unit.amounts, -sign);
    for (var queue = unit.queue; queue != null; queue = queue.parent) {
      var losses = involved.computeIfAbsent(queue, _ -> new long[Counted.COUNT]);
      for (int r = 0; r < losses.length; r++) {
        losses[r] += sign * unit.amounts[r];
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
