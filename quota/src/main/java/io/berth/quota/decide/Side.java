package io.berth.quota.decide;

import io.berth.quota.Counted;
import org.jspecify.annotations.Nullable;

/// Some who lose together for an ask, and what they can lose at most, as the books are before
/// anything is taken.
///
/// A side loses as long as it is beyond some measure before each loss: so at most what it is beyond
/// by, and the rest of its last loss.
final class Side {

  static final Side WITHOUT_LOSS = new Side(0, null);
  static final Side WITHOUT_BOUND = new Side(Long.MAX_VALUE, null);

  private static final long[] NOTHING = new long[Counted.COUNT];

  private final long beyond;
  private final @Nullable Pair pair;

  /// Who asks and who loses, right below where their branches meet.
  private record Pair(Queue mine, Queue theirs, long[] asked, Claim claim) {}

  private Side(long beyond, @Nullable Pair pair) {
    this.beyond = beyond;
    this.pair = pair;
  }

  /// Those of `theirs`, for what `own` asks.
  static Side of(Queue own, long[] asked, Queue theirs) {
    var mine = own.below(theirs);
    var pair = new Pair(mine, theirs, asked, Claim.of(mine, asked, NOTHING));
    return new Side(beyond(own, mine, theirs, asked), pair);
  }

  private static long beyond(Queue own, Queue mine, Queue theirs, long[] asked) {
    // Whatever else those around the one who asks may lose, it has what it has.
    boolean mayStayWithin = true;
    for (int r = 0; r < asked.length; r++) {
      mayStayWithin &= own.allocated[r] + asked[r] <= mine.deserved[r];
    }
    int gpu = Counted.GPU.index();
    long beyond = 0;
    for (int r = 0; r < asked.length; r++) {
      long keeps = theirs.allocatable[r];
      long excess =
          theirs.allocated[r] - (mayStayWithin ? Math.min(keeps, theirs.deserved[r]) : keeps);
      if (excess > 0 && beyond != Long.MAX_VALUE) {
        beyond = r == gpu ? excess : Long.MAX_VALUE;
      }
    }
    return beyond;
  }

  /// So many thousandths of devices, if no single loss is more than `largest`.
  long mostLost(long largest) {
    if (beyond <= 0) {
      return 0;
    }
    return beyond == Long.MAX_VALUE ? beyond : beyond - 1 + largest;
  }

  /// Whether a loss of so much or more could ever be. Not if it has the better claim to that, even
  /// with all it has: then it goes back before the ask is placed. And not if the side that asks
  /// would end farther beyond its share.
  boolean canLose(long[] amounts) {
    return pair == null ? beyond > 0 : !comesFirst(pair, amounts) && endsAbove(pair, amounts);
  }

  private static boolean comesFirst(Pair pair, long[] amounts) {
    var back = Claim.back(pair.theirs, amounts);
    return Claim.ORDER.compare(back, pair.claim) < 0;
  }

  private static boolean endsAbove(Pair pair, long[] amounts) {
    var left = pair.theirs.allocated.clone();
    for (int r = 0; r < left.length; r++) {
      left[r] -= amounts[r];
    }
    return Reclaimable.staysBelow(
        pair.mine, pair.mine.allocated, pair.asked, pair.theirs, left, amounts);
  }
}
