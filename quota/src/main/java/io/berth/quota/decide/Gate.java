package io.berth.quota.decide;

import io.berth.quota.Counted;
import io.berth.quota.Outcome.Reason;
import io.berth.quota.Outcome.Refusal;
import org.jspecify.annotations.Nullable;

/// What books alone say about an ask, before any node is looked at.
final class Gate {

  private Gate() {}

  /// The first limit or quota, of the project or its department, that the ask would break.
  static @Nullable Refusal refusal(Pool pool, Queue queue, boolean firm, long[] asked) {
    for (var unit = queue; unit != null; unit = unit.parent) {
      if (firm) {
        var over = Queue.exceeded(unit.nonPreemptible, unit.deserved, asked);
        if (over != null) {
          return new Refusal(
              pool.name(),
              Reason.NON_PREEMPTIBLE_OVER_QUOTA,
              unit.unit.id(),
              asked[Counted.GPU.index()],
              Words.overQuota(unit, over, asked));
        }
      }
      var over = Queue.exceeded(unit.allocated, unit.limit, asked);
      if (over != null) {
        return new Refusal(
            pool.name(),
            Reason.OVER_LIMIT,
            unit.unit.id(),
            asked[Counted.GPU.index()],
            Words.overLimit(unit, over, asked));
      }
    }
    return null;
  }

  static boolean passes(Queue queue, boolean firm, long[] asked) {
    for (var unit = queue; unit != null; unit = unit.parent) {
      if (Queue.exceeded(unit.allocated, unit.limit, asked) != null
          || (firm && Queue.exceeded(unit.nonPreemptible, unit.deserved, asked) != null)) {
        return false;
      }
    }
    return true;
  }

  /// Whether the ask would pass if its project and department ran nothing at all.
  static boolean couldEverPass(Queue queue, boolean firm, long[] asked) {
    var nothing = new long[asked.length];
    for (var unit = queue; unit != null; unit = unit.parent) {
      if (Queue.exceeded(nothing, unit.limit, asked) != null
          || (firm && Queue.exceeded(nothing, unit.deserved, asked) != null)) {
        return false;
      }
    }
    return true;
  }

  /// Whether project and department stay within what they deserve.
  static boolean isWithinDeserved(Queue queue, long[] asked) {
    for (var unit = queue; unit != null; unit = unit.parent) {
      if (!unit.staysWithin(unit.deserved, asked)) {
        return false;
      }
    }
    return true;
  }
}
