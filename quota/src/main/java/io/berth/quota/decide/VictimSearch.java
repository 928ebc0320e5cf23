package io.berth.quota.decide;

import io.berth.quota.Counted;
import io.berth.quota.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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

  /// So many victims of one search are tried on their nodes; beyond that, only all together.
  private static final int MOST_TRIALS = 512;

  private final Ground ground;
  private final Pool pool;
  private final Trial trial;
  private final List<Slot> slots;
  private final long[] free;
  private final int start;
  private List<Unit> order = List.of();
  private int trials;

  /// What was taken, and of that, what has found no other place.
  record Found(List<Unit> taken, List<Unit> lost) {}

  VictimSearch(Ground ground, Pool pool, long[] free, Trial trial) {
    this.ground = ground;
    this.pool = pool;
    this.trial = trial;
    this.slots = trial.ask().slots();
    this.free = free;
    this.start = ground.checkpoint();
  }

  /// What was taken, with the ask placed; or `null`, with everything as it was.
  @Nullable Found find(Victims victims) {
    if (victims.isEmpty() || !couldBeEnough(victims)) {
      return null;
    }
    order = victims.inOrder();
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
  private boolean couldBeEnough(Victims victims) {
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
    return new Headroom(slots, pool).isEnoughWithout(all);
  }

  private @Nullable Found nodeByNode() {
    List<Unit> taken = List.of();
    for (int pods = 1; pods <= slots.size(); pods++) {
      if (!taken.isEmpty() && place(taken, pods)) {
        continue;
      }
      var more = forOneMore(taken, pods);
      if (more == null) {
        return null;
      }
      taken = more;
    }
    return settle(taken);
  }

  /// What to take so that so many pods fit, of which the last does not yet.
  private @Nullable List<Unit> forOneMore(List<Unit> taken, int pods) {
    place(taken, pods - 1);
    var sight = new Sight(slots.get(pods - 1));
    var known = new HashSet<>(taken);
    for (var unit : order) {
      if (known.contains(unit)) {
        continue;
      }
      sight.add(unit);
      for (int node : sight.promising(unit)) {
        if (trials++ == MOST_TRIALS) {
          return null;
        }
        var all = new ArrayList<>(taken);
        all.addAll(sight.on(node));
        if (place(all, pods)) {
          var least = withoutSpare(all, pods);
          if (settle(least, pods) != null) {
            return least;
          }
          if (least.size() < all.size() && settle(all, pods) != null) {
            return all;
          }
        }
      }
    }
    return null;
  }

  /// Takes victims in their order, wherever they are: where a limit stands in the way, or pods that
  /// could be on many nodes.
  private @Nullable Found anywhere() {
    int next = 1;
    var taken = new ArrayList<Unit>();
    for (var unit : order) {
      taken.add(unit);
      if (!trial.allows(taken)) {
        taken.removeLast();
        continue;
      }
      // Each trial costs as much as the ask is large: their number grows with the logarithm.
      if (taken.size() == next || unit.equals(order.getLast())) {
        next = taken.size() + Math.max(1, taken.size() / 2);
        if (place(taken, slots.size())) {
          return settle(withoutSpare(taken, slots.size()));
        }
      }
    }
    return !taken.isEmpty() && place(taken, slots.size())
        ? settle(withoutSpare(taken, slots.size()))
        : null;
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
            && ground.placeAll(some, pool));
  }

  /// Leaves out what is not needed: all that is elsewhere at once, then one after the other, those
  /// first whose turn came last.
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
    return others.stream().anyMatch(other -> other.before.contains(unit));
  }

  private @Nullable Found settle(List<Unit> taken) {
    if (!place(taken, slots.size())) {
      return null;
    }
    var found = settle(withoutSpare(taken, slots.size()), slots.size());
    return found == null ? settle(taken, slots.size()) : found;
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
    var lost = new HashSet<Unit>();
    new Sweep(pool, asks)
        .run((ask, queue, amounts) -> {
          var unit = units.get(ask);
          if (unit == null) {
            placeAsk(pods);
          } else if (isWithoutCore(unit, lost)
              || !Gate.passes(queue, ask.firm(), amounts)
              || !ground.placeAll(ask.slots(), pool)) {
            lost.add(unit);
          }
          return false;
        });
    var inOrder = order.stream().filter(lost::contains).toList();
    boolean placed = slots.getFirst().node != null;
    return placed && trial.allows(inOrder) ? new Found(taken, inOrder) : null;
  }

  private static boolean isWithoutCore(Unit unit, Set<Unit> lost) {
    return unit.extra && lost.stream().anyMatch(other -> !other.extra && other.job == unit.job);
  }

  /// What has been added to a search so far, by node, and where it promises room for a pod.
  private final class Sight {

    private final int devices;
    private final int[] left;
    private final Map<Integer, Set<Job>> jobs = new HashMap<>();
    private final Map<Job, List<Unit>> units = new HashMap<>();

    Sight(Slot slot) {
      this.devices = slot.set.gpu() instanceof GpuRequest.Devices(var whole) ? whole : 0;
      this.left = pool.gpus.copy();
    }

    void add(Unit unit) {
      units.computeIfAbsent(unit.job, _ -> new ArrayList<>()).add(unit);
      for (int i = 0; i < unit.nodeIndexes.length; i++) {
        int node = unit.nodeIndexes[i];
        jobs.computeIfAbsent(node, _ -> new LinkedHashSet<>()).add(unit.job);
        if (node != FreeGpus.NONE) {
          left[node] += unit.slots.get(i).set.gpu().devices();
        }
      }
    }

    /// The nodes of a unit on which, with all that was added, there may be room.
    List<Integer> promising(Unit unit) {
      var nodes = new LinkedHashSet<Integer>();
      for (int node : unit.nodeIndexes) {
        if (node == FreeGpus.NONE || left[node] >= devices) {
          nodes.add(node);
        }
      }
      return List.copyOf(nodes);
    }

    /// All that was added of gangs that are on the node.
    List<Unit> on(int node) {
      var there = jobs.getOrDefault(node, Set.of());
      var found = new ArrayList<Unit>();
      there.forEach(job -> found.addAll(units.getOrDefault(job, List.of())));
      found.sort(Comparator.comparingInt(order::indexOf));
      return found;
    }
  }
}
