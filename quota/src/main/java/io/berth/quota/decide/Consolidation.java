package io.berth.quota.decide;

import io.berth.quota.Outcome.Cause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;

/// Moves gangs together so that what is free is in one place; if all of them find a new one.
final class Consolidation {

  /// So many asks a pool may be looked at in one pass; others wait for the next.
  private static final int MAX_ASKS = 50;

  /// So many gangs at most are moved for one ask.
  private static final int MAX_MOVED = 12;

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
    var trial = room.settle(ask, queue, asked, Settle.Rule.ALL, true);
    var why = Words.moved();
    return room.take(
        trial,
        movable(ask, asked),
        found -> RoomMaker.noteAll(found, Cause.CONSOLIDATION, ask, why));
  }

  /// What might be moved, from the nodes first that would be empty soonest.
  private List<Unit> movable(Ask ask, long[] asked) {
    var onNode = new HashMap<String, Long>();
    var candidates = new ArrayList<Unit>();
    for (var unit : room.takeable.cheapestFirst()) {
      if (unit.job != ask.job() && unit.before.isEmpty() && isSmall(unit, asked)) {
        candidates.add(unit);
        onNode.merge(unit.firstNode, unit.amounts[main(asked)], Long::sum);
      }
    }
    // The sort is stable: among those alike the cheapest stays first.
    candidates.sort(
        Comparator.<Unit, Long>comparing(unit -> onNode.getOrDefault(unit.firstNode, 0L))
            .thenComparing(unit -> unit.firstNode));
    return candidates.subList(0, Math.min(MAX_MOVED, candidates.size()));
  }

  /// The resource that counts most of those that are asked for.
  private static int main(long[] asked) {
    for (int r = 0; r < asked.length; r++) {
      if (asked[r] > 0) {
        return r;
      }
    }
    return 0;
  }

  /// Moving something larger than the ask itself only moves the problem.
  private static boolean isSmall(Unit unit, long[] asked) {
    return unit.amounts[main(asked)] <= asked[main(asked)];
  }
}
