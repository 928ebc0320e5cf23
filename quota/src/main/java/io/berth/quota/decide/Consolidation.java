package io.berth.quota.decide;

import java.util.ArrayList;
import java.util.List;

/// Moves gangs together so that what is free is in one place; if all of them find a new one.
final class Consolidation {

  /// So many asks a pool may be looked at in one pass; others wait for the next.
  private static final int MAX_ASKS = 50;

  /// So many sets of gangs are moved on trial for each of them.
  private static final int MAX_TRIALS = 32;

  private final RoomMaker room;
  private int asks;

  Consolidation(RoomMaker room) {
    this.room = room;
  }

  boolean makeRoom(Ask ask, Queue queue, long[] asked) {
    boolean possible =
        room.pool.packs()
            && Gate.passes(queue, ask.firm(), asked)
            && room.isEnoughFree(asked)
            && asks < MAX_ASKS;
    if (!possible) {
      return false;
    }
    asks++;
    var victims = new Victims();
    var elsewhere = room.ground.elsewhere(room.pool);
    for (var holding : room.takeable.holdings()) {
      var movable = new ArrayList<>(holding.takeable(Side.WITHOUT_LOSS, elsewhere));
      movable.removeIf(unit -> unit.job == ask.job());
      victims.add(holding.queue, movable);
    }
    return room.take(new AllMove(ask, queue, asked), victims, MAX_TRIALS, _ -> {});
  }

  private record AllMove(Ask ask, Queue queue, long[] asked) implements Trial {
    @Override
    public boolean allows(List<Unit> lost) {
      return lost.isEmpty();
    }

    @Override
    public List<Unit> allowed(List<Unit> candidates) {
      return List.of();
    }

    @Override
    public Side sideOf(Unit unit) {
      return Side.WITHOUT_LOSS;
    }
  }
}
