package io.berth.quota.decide;

import io.berth.quota.Outcome.Cause;
import java.util.ArrayList;
import java.util.TreeSet;

/// Takes from gangs of lower priority in the asker's own project.
final class Preemption {

  private final RoomMaker room;

  Preemption(RoomMaker room) {
    this.room = room;
  }

  /// The lowest priorities first: a higher one is touched only where lower ones do not suffice.
  boolean makeRoom(Ask ask, Queue queue, long[] asked) {
    if (room.takeable.lowestPriority(queue) >= ask.job().gang.priority()) {
      return false;
    }
    var own = new ArrayList<Unit>();
    var priorities = new TreeSet<Integer>();
    for (var unit : room.takeable.cheapestFirst()) {
      boolean lower = unit.job.gang.priority() < ask.job().gang.priority();
      if (lower && unit.queue.equals(queue)) {
        own.add(unit);
        priorities.add(unit.job.gang.priority());
      }
    }
    var why = Words.preempted(ask.job());
    for (int highest : priorities) {
      var candidates = own.stream().filter(u -> u.job.gang.priority() <= highest).toList();
      var trial = room.settle(ask, queue, asked, Settle.Rule.ALL, false);
      if (room.take(
          trial, candidates, found -> RoomMaker.noteAll(found, Cause.PREEMPTION, ask, why))) {
        return true;
      }
    }
    return false;
  }
}
