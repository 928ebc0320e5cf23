package io.berth.quota.decide;

import io.berth.quota.Outcome.Cause;
import java.util.HashMap;
import java.util.List;

/// Takes back from other projects what is beyond their share.
///
/// Whose share is measured by what: first those beyond their fair share, then, for an ask within
/// what its own side deserves, all beyond what they deserve; first where the project itself is
/// beyond, then where only its department is.
final class Reclaim {

  private final RoomMaker room;

  Reclaim(RoomMaker room) {
    this.room = room;
  }

  boolean makeRoom(Ask ask, Queue queue, long[] asked) {
    for (boolean byDeserved : new boolean[] {false, true}) {
      if (!queue.staysWithin(byDeserved ? queue.deserved : queue.fairShare, asked)) {
        continue;
      }
      for (boolean projectToo : new boolean[] {true, false}) {
        if (!markThoseBeyond(queue, asked, byDeserved, projectToo)) {
          continue;
        }
        var rule = rule(queue, asked, byDeserved, projectToo);
        var trial = room.settle(ask, queue, asked, rule, false);
        if (room.take(trial, room.takeable.cheapestFirst(), found -> note(ask, found))) {
          return true;
        }
      }
    }
    return false;
  }

  /// Asked of projects once instead of each of their gangs. Returns whether there is any.
  private boolean markThoseBeyond(Queue own, long[] asked, boolean byDeserved, boolean projectToo) {
    boolean any = false;
    for (var other : room.pool.projects.values()) {
      other.marked = isBeyond(own, asked, other, byDeserved, projectToo);
      any |= other.marked;
    }
    return any;
  }

  private static Settle.Rule rule(Queue own, long[] asked, boolean byDeserved, boolean projectToo) {
    return new Settle.Rule(
        unit -> unit.queue.marked && (byDeserved || !unit.earned),
        unit ->
            (byDeserved || !unit.earned)
                && isBeyond(own, asked, unit.queue, byDeserved, projectToo)
                && keepsWithin(own, asked, unit.queue, byDeserved)
                && (byDeserved || keepsDeserved(own, asked, unit)));
  }

  private static boolean isBeyond(
      Queue own, long[] asked, Queue other, boolean byDeserved, boolean projectToo) {
    if (own.equals(other)) {
      return false;
    }
    var theirs = other.below(own);
    return theirs.isOver(measure(theirs, byDeserved), asked)
        && (!projectToo || other.isOver(measure(other, byDeserved), asked));
  }

  private static boolean keepsWithin(Queue own, long[] asked, Queue other, boolean byDeserved) {
    var mine = own.below(other);
    return mine.staysWithin(measure(mine, byDeserved), asked);
  }

  /// For the sake of a share nobody falls below what it deserves: it would take that back at once.
  private static boolean keepsDeserved(Queue own, long[] asked, Unit unit) {
    return unit.queue.keepsDeserved(asked, unit.amounts)
        && unit.queue.below(own).keepsDeserved(asked, unit.amounts);
  }

  private static long[] measure(Queue queue, boolean byDeserved) {
    return byDeserved ? queue.deserved : queue.fairShare;
  }

  /// Names the use that was too much, as it was before.
  private static void note(Ask ask, List<Unit> found) {
    var before = new HashMap<Queue, long[]>();
    for (var unit : found) {
      var used = before.computeIfAbsent(unit.queue, queue -> queue.allocated.clone());
      for (int r = 0; r < used.length; r++) {
        used[r] += unit.amounts[r];
      }
    }
    for (var unit : found) {
      var used = before.getOrDefault(unit.queue, unit.queue.allocated);
      RoomMaker.note(unit, Cause.RECLAIM, ask, Words.reclaimed(ask.job(), unit.queue, used));
    }
  }
}
