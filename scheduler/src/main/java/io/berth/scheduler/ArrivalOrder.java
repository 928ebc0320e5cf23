package io.berth.scheduler;

import io.berth.api.Pod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The binds of another scheduler, in the order in which it decided rather than in that in which
/// they arrived.
///
/// A scheduler decides about pods of one priority in the order in which they came, counts each one
/// on its node at once, and binds many at a time: binds overtake each other. What it decided by can
/// be seen only when they are put in order again, so a bind waits for those of pods that came
/// before. A pod that keeps others waiting for too long stays pending, and is not waited for.
///
/// The order is a guess where a pod was tried twice: with each bind go those that arrived on the
/// other side of it.
final class ArrivalOrder {

  /// Longer than a bind takes, also on a busy server; what waits longer is unschedulable.
  private static final long PATIENCE_MILLIS = 30_000;

  /// More binds than a scheduler has under way.
  private static final int REMEMBERED = 256;

  private final Map<Integer, Map<String, Turn>> byPriority = new HashMap<>();
  private final Set<Turn> waiting = new LinkedHashSet<>();
  private final ArrayDeque<Turn> released = new ArrayDeque<>();
  private long binds;

  /// A bind whose turn has come. `overtakers` came later than its pod and were bound before it;
  /// `laggards` came before its pod and were bound after it.
  record Release(Pod pod, List<Pod> overtakers, List<Pod> laggards) {}

  /// A pod that waits to be decided about, or whose bind waits for others.
  private static final class Turn {
    private final String uid;
    private @Nullable Pod bound;
    private long boundAtMillis;
    private long number;

    Turn(Pod pod) {
      this.uid = pod.uid();
    }
  }

  /// A pod without a node has been seen.
  void came(Pod pod) {
    turns(pod).computeIfAbsent(pod.key(), _ -> new Turn(pod));
  }

  /// A pod with a node has been seen; the pods whose turn has come with it, in order.
  List<Release> bound(Pod pod, long nowMillis) {
    var turn = turns(pod).get(pod.key());
    if (turn == null || !turn.uid.equals(pod.uid())) {
      return List.of(new Release(pod, List.of(), List.of()));
    }
    if (turn.bound == null) {
      turn.boundAtMillis = nowMillis;
      turn.number = ++binds;
    }
    turn.bound = pod;
    waiting.add(turn);
    var ready = new ArrayList<Release>();
    releaseHead(turns(pod), ready);
    return ready;
  }

  /// A pod is gone; the pods that waited for it, in order.
  List<Release> gone(String key) {
    var ready = new ArrayList<Release>();
    for (var turns : byPriority.values()) {
      var turn = turns.remove(key);
      if (turn != null) {
        waiting.remove(turn);
        releaseHead(turns, ready);
      }
    }
    released.removeIf(turn -> turn.bound != null && turn.bound.key().equals(key));
    return ready;
  }

  /// Pods that have waited long enough for others, in order.
  List<Release> late(long nowMillis) {
    var ready = new ArrayList<Release>();
    for (var turns : byPriority.values()) {
      var last = lastLate(turns, nowMillis);
      if (last != null) {
        releaseThrough(turns, last, ready);
        releaseHead(turns, ready);
      }
    }
    return ready;
  }

  private Map<String, Turn> turns(Pod pod) {
    return byPriority.computeIfAbsent(pod.priority(), _ -> new LinkedHashMap<>());
  }

  private void releaseHead(Map<String, Turn> turns, List<Release> ready) {
    var all = turns.values().iterator();
    while (all.hasNext()) {
      var turn = all.next();
      if (turn.bound == null) {
        return;
      }
      all.remove();
      ready.add(release(turn, turn.bound));
    }
  }

  private Release release(Turn turn, Pod bound) {
    waiting.remove(turn);
    var release =
        new Release(
            bound,
            pods(waiting, other -> other.number < turn.number),
            pods(released, other -> other.number > turn.number));
    released.addFirst(turn);
    if (released.size() > REMEMBERED) {
      released.removeLast();
    }
    return release;
  }

  private static List<Pod> pods(Collection<Turn> turns, Predicate<Turn> which) {
    return turns.stream().filter(which).map(turn -> turn.bound).filter(Objects::nonNull).toList();
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
  private void releaseThrough(Map<String, Turn> turns, Turn last, List<Release> ready) {
    var all = turns.values().iterator();
    boolean reached = false;
    while (!reached) {
      var turn = all.next();
      all.remove();
      if (turn.bound != null) {
        ready.add(release(turn, turn.bound));
      }
      reached = turn == last;
    }
  }
}
