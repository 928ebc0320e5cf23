package io.berth.scheduler;

import io.berth.api.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The binds of another scheduler, in the order in which it decided rather than in that in which
/// they arrived.
///
/// A scheduler decides about pods of one priority in the order in which they came, counts each one
/// on its node at once, and binds many at a time: binds overtake each other. What it decided by can
/// be seen only when they are put in order again, so a bind waits for those of pods that came
/// before. A pod that keeps others waiting for too long stays pending, and is not waited for.
final class ArrivalOrder {

  /// Longer than a bind takes, also on a busy server; what waits longer is unschedulable.
  private static final long PATIENCE_MILLIS = 30_000;

  private final Map<Integer, Map<String, Turn>> byPriority = new HashMap<>();

  /// A pod that waits to be decided about, or whose bind waits for others.
  private static final class Turn {
    private final String uid;
    private @Nullable Pod bound;
    private long boundAtMillis;

    Turn(Pod pod) {
      this.uid = pod.uid();
    }
  }

  /// A pod without a node has been seen.
  void came(Pod pod) {
    turns(pod).computeIfAbsent(pod.key(), _ -> new Turn(pod));
  }

  /// A pod with a node has been seen; the pods whose turn has come with it, in order.
  List<Pod> bound(Pod pod, long nowMillis) {
    var turn = turns(pod).get(pod.key());
    if (turn == null || !turn.uid.equals(pod.uid())) {
      return List.of(pod);
    }
    if (turn.bound == null) {
      turn.boundAtMillis = nowMillis;
    }
    turn.bound = pod;
    var released = new ArrayList<Pod>();
    releaseHead(turns(pod), released);
    return released;
  }

  /// A pod is gone; the pods that waited for it, in order.
  List<Pod> gone(String key) {
    var released = new ArrayList<Pod>();
    for (var turns : byPriority.values()) {
      if (turns.remove(key) != null) {
        releaseHead(turns, released);
      }
    }
    return released;
  }

  /// Pods that have waited long enough for others, in order.
  List<Pod> late(long nowMillis) {
    var released = new ArrayList<Pod>();
    for (var turns : byPriority.values()) {
      var last = lastLate(turns, nowMillis);
      if (last != null) {
        releaseThrough(turns, last, released);
        releaseHead(turns, released);
      }
    }
    return released;
  }

  private Map<String, Turn> turns(Pod pod) {
    return byPriority.computeIfAbsent(pod.priority(), _ -> new LinkedHashMap<>());
  }

  private static void releaseHead(Map<String, Turn> turns, List<Pod> released) {
    var all = turns.values().iterator();
    while (all.hasNext()) {
      var bound = all.next().bound;
      if (bound == null) {
        return;
      }
      released.add(bound);
      all.remove();
    }
  }

  private static @Nullable Turn lastLate(Map<String, Turn> turns, long nowMillis) {
    Turn last = null;
    for (var turn : turns.values()) {
      if (turn.bound != null && nowMillis - turn.boundAtMillis >= PATIENCE_MILLIS) {
        last = turn;
      }
    }
    return last;
  }

  // Those without a bind before it stay pending; should they be bound one day, it is their turn.
  private static void releaseThrough(Map<String, Turn> turns, Turn last, List<Pod> released) {
    var all = turns.values().iterator();
    boolean reached = false;
    while (!reached) {
      var turn = all.next();
      if (turn.bound != null) {
        released.add(turn.bound);
      }
      all.remove();
      reached = turn == last;
    }
  }
}
