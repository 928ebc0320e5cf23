package io.berth.quota.decide;

import io.berth.quota.Outcome.Cause;
import java.util.List;

/// Takes from gangs of lower priority in the asker's own project.
final class Preemption {

  private final RoomMaker room;

  Preemption(RoomMaker room) {
    this.room = room;
  }

  boolean makeRoom(Ask ask, Queue queue, long[] asked) {
    int priority = ask.job().gang.priority();
    var victims = new Victims();
    victims.add(
        queue,
        room.takeable.of(queue).units.stream()
            .filter(unit -> unit.job.gang.priority() < priority && unit.job != ask.job())
            .toList());
    var why = Words.preempted(ask.job());
    return room.take(
        new AnyLoss(ask, queue, asked),
        victims,
        RoomMaker.MOST_TRIALS,
        lost -> lost.forEach(unit -> RoomMaker.note(unit, Cause.PREEMPTION, ask, why)));
  }

  private record AnyLoss(Ask ask, Queue queue, long[] asked) implements Trial {
    @Override
    public boolean allows(List<Unit> lost) {
      return true;
    }

    @Override
    public List<Unit> allowed(List<Unit> candidates) {
      return candidates;
    }

    @Override
    public Side sideOf(Unit unit) {
      return Side.WITHOUT_BOUND;
    }
  }
}
