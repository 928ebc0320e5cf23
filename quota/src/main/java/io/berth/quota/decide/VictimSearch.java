package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds what to take so that an ask finds room, and never more than that.
///
/// Victims are added in their order; after each, all of those added so far that have to do with one
/// of its nodes are taken together, until the first pod of the ask finds room, then the second. So
/// those whose turn it is go, but only where that helps. If no node does, they are taken in their
/// order wherever they are. Then everything is put back that is not needed after all, what finds
/// another place is moved there, and what is left must be allowed to be lost.
final class VictimSearch {

  private final Ground ground;
  private final Pool pool;
  private final Trial trial;
  private final Victims victims;
  private final List<Slot> slots;
  private final int start;

  /// So many sets of victims may still be tried on their nodes; beyond that, only all together.
  private int trials;

  /// What was taken, and of that, what has found no other place.
  record Found(List<Unit> taken, List<Unit> lost) {}

  VictimSearch(Ground ground, Pool pool, Trial trial, Victims victims, int trials) {
    this.ground = ground;
    this.pool = pool;
    this.trial = trial;
    this.victims = victims;
    this.slots = trial.ask().slots();
    this.start = ground.checkpoint();
    this.trials = trials;
  }

  /// What was taken, with the ask placed; or `null`, with everything as it was. At most `free` is
  /// free before.
  @Nullable Found find(long[] free) {
    if (victims.isEmpty() || !couldBeEnough(free)) {
      return null;
    }
    var found = nodeByNode();
    if (found == null) {
      found = anywhere();
    }
    if (found == null) {
      ground.rollback(start);
    }
    return found;
  }

  /// Most searches are in vain; sums say so before anything is taken.
  private boolean couldBeEnough(long[] free) {
    var sum = free.clone();
    var all = new ArrayList<Unit>();
    victims.forEach(unit -> {
      all.add(unit);
      for (int r = 0; r < sum.length; r++) {
        sum[r] += unit.amounts[r];
      }
    });
    var asked = trial.asked();
    for (int r = 0; r < Counted.COUNT; r++) {
      if (asked[r] > 0 && sum[r] < asked[r]) {
        return false;
      }
    }
    return ground.headroom(slots, pool).isEnoughWithout(all, trial::sideOf);
  }

  private @Nullable Found nodeByNode() {
    var found = new Found(List.of(), List.of());
    for (int pods = 1; pods <= slots.size(); pods++) {
      boolean fits = !found.taken.isEmpty() && place(found.taken, pods);
      if (!fits) {
        found = forOneMore(found.taken, pods);
      } else if (pods == slots.size()) {
        found = settleLeast(found.taken, pods);
      }
      if (found == null) {
        return null;
      }
    }
    return found;
  }

  /// What to take so that so many pods fit, of which the last does not yet.
  private @Nullable Found forOneMore(List<Unit> taken, int pods) {
    place(taken, pods - 1);
    var sight = new Sight(slots.get(pods - 1), pool);
    var headroom = ground.headroom(slots.subList(0, pods), pool);
    var known = new HashSet<>(taken);
    ground.rollback(start);
    int turn = 0;
    for (var unit = victims.at(turn); unit != null; unit = victims.at(++turn)) {
      if (known.contains(unit)) {
        continue;
      }
      sight.add(unit);
      for (int node : sight.promising(unit)) {
        var all = new ArrayList<>(taken);
        all.addAll(sight.on(node));
        if (!couldSettle(all, headroom)) {
          continue;
        }
        if (trials-- == 0) {
          return null;
        }
        var found = settleLeast(all, pods);
        if (found != null) {
          return found;
        }
        ground.rollback(start);
      }
    }
    return null;
  }

  /// Whether there may be room for the ask, and again for what cannot be lost.
  private boolean couldSettle(List<Unit> taken, Headroom headroom) {
    boolean anyLoss = taken.stream().anyMatch(unit -> trial.sideOf(unit).canLose(unit.amounts));
    return headroom.isEnoughWithout(taken, anyLoss ? trial::sideOf : _ -> Side.WITHOUT_LOSS);
  }

  /// Takes victims in their order, wherever they are: where a limit stands in the way, or pods that
  /// could be on many nodes.
  private @Nullable Found anywhere() {
    ground.rollback(start);
    var order = new ArrayList<Unit>();
    for (var unit = victims.at(0); unit != null; unit = victims.at(order.size())) {
      order.add(unit);
    }
    var allowed = trial.allowed(order);
    // Each trial costs as much as the ask is large: their number grows with the logarithm.
    for (int next = 1; ; next += Math.max(1, next / 2)) {
      var taken = allowed.subList(0, Math.min(next, allowed.size()));
      if (!taken.isEmpty() && place(taken, slots.size())) {
        return settle(withoutSpare(taken, slots.size()), slots.size());
      }
      if (next >= allowed.size()) {
        return null;
      }
    }
  }

  /// Takes these from where they were at first and places so many pods of the ask, or none.
  private boolean place(List<Unit> taken, int pods) {
    ground.rollback(start);
    for (var unit : taken) {
      if (!ground.budgets.allow(unit)) {
        return false;
      }
      unit.take(ground);
    }
    return placeAsk(pods);
  }

  private boolean placeAsk(int pods) {
    var some = slots.subList(0, pods);
    return pods == 0
        || (Gate.passes(trial.queue(), trial.ask().firm(), Ask.sum(some))
            && ground.headroom(some, pool).isEnough()
            && ground.placeAll(some, pool));
  }

  /// Leaves out what is not needed: all that is elsewhere at once, then one after the other, those
  /// first whose turn came last. The pods are placed.
  private List<Unit> withoutSpare(List<Unit> taken, int pods) {
    var needed = new ArrayList<>(taken);
    var nodes = new HashSet<String>();
    slots.subList(0, pods).forEach(slot -> nodes.add(String.valueOf(slot.node)));
    var here = needed.stream().filter(unit -> isOn(unit, nodes)).toList();
    var closed =
        needed.stream().filter(unit -> here.contains(unit) || isBefore(unit, here)).toList();
    if (closed.size() < needed.size() && place(closed, pods)) {
      needed.retainAll(new HashSet<>(closed));
    }
    for (var unit : List.copyOf(needed).reversed()) {
      var rest = new ArrayList<>(needed);
      rest.remove(unit);
      if (!isBefore(unit, rest) && place(rest, pods)) {
        needed = rest;
      }
    }
    return needed;
  }

  private static boolean isOn(Unit unit, Set<String> nodes) {
    return unit.slots.stream().anyMatch(slot -> nodes.contains(String.valueOf(slot.startNode)));
  }

  /// An extra can stay only with a gang that does.
  private static boolean isBefore(Unit unit, List<Unit> others) {
    return unit.extra && others.stream().anyMatch(other -> other.before.contains(unit));
  }

  /// The least of these if that may be lost, or else all of them.
  private @Nullable Found settleLeast(List<Unit> taken, int pods) {
    if (taken.size() == 1 && slots.size() == 1) {
      // Without it there was no room.
      return settle(taken, pods);
    }
    if (!place(taken, pods)) {
      return null;
    }
    var least = withoutSpare(taken, pods);
    var found = settle(least, pods);
    return found == null && least.size() < taken.size() ? settle(taken, pods) : found;
  }

  /// Places the ask and all that was taken anew, each when it is its turn: whoever has the better
  /// claim gets its room back, and others may find a better place than they had. Of the rest it is
  /// asked whether it may be lost.
  private @Nullable Found settle(List<Unit> taken, int pods) {
    if (!place(taken, 0)) {
      return null;
    }
    var units = new HashMap<Ask, Unit>();
    taken.forEach(unit -> units.put(unit.ask(), unit));
    var asks = new ArrayList<>(units.keySet());
    asks.add(trial.ask());
    var lost = new ArrayList<Unit>();
    new Sweep(pool, asks)
        .run((ask, queue, amounts) -> {
          var unit = units.get(ask);
          if (unit == null) {
            placeAsk(pods);
          } else if (isWithoutCore(unit, lost)
              || !Gate.passes(queue, ask.firm(), amounts)
              || !ground.headroom(ask.slots(), pool).isEnough()
              || !ground.placeAll(ask.slots(), pool)) {
            lost.add(unit);
          }
          return false;
        });
    lost.sort(Comparator.comparingInt(unit -> unit.turn));
    boolean placed = slots.getFirst().node != null;
    return placed && trial.allows(lost) ? new Found(taken, lost) : null;
  }

  private static boolean isWithoutCore(Unit unit, List<Unit> lost) {
    return unit.extra && lost.stream().anyMatch(other -> !other.extra && other.job == unit.job);
  }
}
