package io.berth.quota.decide;

import io.berth.quota.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What can be taken from a gang at once: one extra, or, when its extras are gone, all the rest.
final class Unit {

  final Job job;

  /// The books of its project.
  final Queue queue;

  final List<Slot> slots;

  /// The extras that must go before.
  final List<Unit> before;

  final long[] amounts = new long[Counted.COUNT];

  /// What its eviction costs: nothing if it has not started yet.
  final long[] cost = new long[Counted.COUNT];

  final String firstNode;

  /// By slot, where its node is in the pool's table of devices.
  final int[] nodeIndexes;

  /// Whether its gang waited so long that only a deserved quota takes it away again.
  final boolean earned;

  private final List<Place> places = new ArrayList<>();
  private boolean taken;
  private @Nullable Object search;

  private record Place(String node, List<Integer> devices) {}

  private Unit(Job job, List<Slot> slots, List<Unit> before, boolean earned) {
    this.job = job;
    this.queue = job.queue();
    this.slots = slots;
    this.before = before;
    this.earned = earned;
    this.firstNode = Objects.requireNonNull(slots.getFirst().node);
    this.nodeIndexes = new int[slots.size()];
    var gpus = Objects.requireNonNull(job.pool).gpus;
    for (int i = 0; i < nodeIndexes.length; i++) {
      nodeIndexes[i] = gpus.indexOf(Objects.requireNonNull(slots.get(i).node));
    }
    for (var slot : slots) {
      boolean runs = slot.startNode != null && !slot.hasLeft();
      for (int r = 0; r < amounts.length; r++) {
        amounts[r] += slot.amounts[r];
        cost[r] += runs ? slot.amounts[r] : 0;
      }
    }
  }

  /// All that may be taken from a gang, in the order in which it must be.
  static List<Unit> of(Job job, boolean earned) {
    var units = new ArrayList<Unit>();
    var core = new ArrayList<Slot>();
    for (var slot : job.slots.reversed()) {
      if (slot.node != null && slot.core) {
        core.addFirst(slot);
      } else if (slot.node != null && !slot.firm) {
        units.add(new Unit(job, List.of(slot), List.of(), earned));
      }
    }
    if (!core.isEmpty() && job.isPreemptible()) {
      units.add(new Unit(job, core, List.copyOf(units), earned));
    }
    return units;
  }

  /// Marks it as a candidate of one search.
  void openTo(Object candidateOf) {
    search = candidateOf;
  }

  @SuppressWarnings("ReferenceEquality")
  boolean isOpenTo(Object candidateOf) {
    return search == candidateOf;
  }

  boolean isTaken() {
    return taken;
  }

  boolean isReady() {
    for (var extra : before) {
      if (!extra.taken) {
        return false;
      }
    }
    return true;
  }

  void take(Ground ground) {
    places.clear();
    for (var slot : slots) {
      places.add(new Place(Objects.requireNonNull(slot.node), slot.devices));
      ground.remove(slot);
    }
    taken = true;
  }

  /// Puts it back where it was.
  void restore(Ground ground, Pool pool) {
    for (int i = 0; i < slots.size(); i++) {
      ground.put(slots.get(i), pool, places.get(i).node(), places.get(i).devices());
    }
    taken = false;
  }

  /// Says after a rollback of the ground what is so again.
  void mark(boolean isTaken) {
    taken = isTaken;
  }

  boolean isOn(Set<String> nodes) {
    for (var place : places) {
      if (nodes.contains(place.node())) {
        return true;
      }
    }
    return false;
  }
}
