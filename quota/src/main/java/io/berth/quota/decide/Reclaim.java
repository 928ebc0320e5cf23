package io.berth.quota.decide;

import io.berth.quota.Outcome.Cause;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Takes back from other projects what is beyond their share, for an ask within its own.
final class Reclaim {

  private final RoomMaker room;

  Reclaim(RoomMaker room) {
    this.room = room;
  }

  boolean makeRoom(Ask ask, Queue queue, long[] asked) {
    if (!queue.staysWithin(queue.fairShare, asked)) {
      return false;
    }
    var victims = new Victims();
    var sides = new HashMap<Queue, Side>();
    var elsewhere = room.ground.elsewhere(room.pool);
    // One victim is enough for one device. For more, one may be lost because another is as well.
    boolean oneByOne = ask.slots().size() == 1 && ask.slots().getFirst().set.gpu().devices() == 1;
    for (var holding : room.takeable.holdings()) {
      var other = holding.queue;
      if (!other.equals(queue) && Reclaimable.isEver(queue, asked, other)) {
        var side =
            sides.computeIfAbsent(other.below(queue), theirs -> Side.of(queue, asked, theirs));
        victims.add(other, oneByOne ? holding.takeable(side, elsewhere) : holding.units);
      }
    }
    var trial = new Taking(ask, queue, asked, sides);
    return room.take(trial, victims, RoomMaker.MOST_TRIALS, lost -> note(ask, lost));
  }

  private record Taking(Ask ask, Queue queue, long[] asked, Map<Queue, Side> sides)
      implements Trial {
    @Override
    public boolean allows(List<Unit> lost) {
      return new Reclaimable(ask, queue, asked).allows(lost);
    }

    @Override
    public List<Unit> allowed(List<Unit> candidates) {
      return new Reclaimable(ask, queue, asked).of(candidates);
    }

    @Override
    public Side sideOf(Unit unit) {
      return sides.getOrDefault(unit.queue.below(queue), Side.WITHOUT_BOUND);
    }
  }

  /// Names the use that was too much, as it was before.
  private static void note(Ask ask, List<Unit> lost) {
    var before = new HashMap<Queue, long[]>();
    for (var unit : lost) {
      var used = before.computeIfAbsent(unit.queue, queue -> queue.allocated.clone());
      for (int r = 0; r < used.length; r++) {
        used[r] += unit.amounts[r];
      }
    }
    for (var unit : lost) {
      var used = before.getOrDefault(unit.queue, unit.queue.allocated);
      RoomMaker.note(unit, Cause.RECLAIM, ask, Words.reclaimed(ask.job(), unit.queue, used));
    }
  }
}
