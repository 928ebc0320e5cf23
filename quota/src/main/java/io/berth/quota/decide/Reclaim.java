package io.berth.quota.decide;

import io.berth.quota.Outcome.Cause;
import java.util.HashMap;
import java.util.List;

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
    for (var other : room.takeable.queues()) {
      if (!other.equals(queue) && Reclaimable.isEver(queue, asked, other)) {
        victims.add(other, room.takeable.of(other), _ -> true);
      }
    }
    return room.take(new Taking(ask, queue, asked), victims, lost -> note(ask, lost));
  }

  private record Taking(Ask ask, Queue queue, long[] asked) implements Trial {
    @Override
    public boolean allows(List<Unit> lost) {
      return new Reclaimable(ask, queue, asked, lost).allowed();
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
