package io.berth.quota.decide;

import io.berth.quota.Counted;
import io.berth.quota.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// What can be taken from a gang at once: one extra, or, when its extras are gone, all the rest.
final class Unit {

  /// Within a project: the lowest priority goes first; of one priority all extras before any gang
  /// ends; of these the newest.
  static final Comparator<Unit> ORDER =
      Comparator.<Unit>comparingInt(unit -> unit.job.gang.priority())
          .thenComparing(unit -> !unit.extra)
          .thenComparing(unit -> unit.job.gang.createdAt(), Comparator.reverseOrder())
          .thenComparing(unit -> unit.job.gang.id(), Comparator.reverseOrder())
          .thenComparingInt(unit -> unit.place);

  final Job job;

  /// The books of its project.
  final Queue queue;

  final List<Slot> slots;

  /// The extras that must go before.
  final List<Unit> before;

  final boolean extra;

  /// Its pods have so many whole devices at most.
  final int largestPod;

  /// Its pods have so many millionths of a device at most, apart from those that ask for memory.
  final long largestPart;

  /// Whether nothing else can be taken from its gang.
  final boolean alone;

  /// Its place in the order of the search that came to it last.
  int turn;

  final long[] amounts = new long[Counted.COUNT];

  /// By slot, where its node is in the pool's table of devices.
  final int[] nodeIndexes;

  /// Whether its gang waited so long that only a deserved quota takes it away again.
  final boolean earned;

  /// Its place among the units of its gang.
  private final int place;

  private Unit(
      Job job, List<Slot> slots, List<Unit> before, boolean extra, boolean alone, boolean earned) {
    this.job = job;
    this.queue = job.queue();
    this.slots = slots;
    this.before = before;
    this.extra = extra;
    this.alone = alone;
    this.earned = earned;
    this.place = job.slots.size() - job.slots.indexOf(slots.getFirst());
    this.nodeIndexes = new int[slots.size()];
    var gpus = Objects.requireNonNull(job.pool).gpus;
    for (int i = 0; i < nodeIndexes.length; i++) {
      nodeIndexes[i] = gpus.indexOf(Objects.requireNonNull(slots.get(i).node));
    }
    int pod = 0;
    long part = 0;
    for (var slot : slots) {
      switch (slot.set.gpu()) {
        case GpuRequest.Devices(var devices) -> pod = Math.max(pod, devices);
        case GpuRequest.Portion(var _, var micros) -> part = Math.max(part, micros);
        case GpuRequest.Memory _ -> {}
      }
      for (int r = 0; r < amounts.length; r++) {
        amounts[r] += slot.amounts[r];
      }
    }
    this.largestPod = pod;
    this.largestPart = part;
  }

  /// All that may be taken from a gang, in the order in which it must be.
  static List<Unit> of(Job job, boolean earned) {
    var units = new ArrayList<Unit>();
    var core = new ArrayList<Slot>();
    for (var slot : job.slots.reversed()) {
      if (slot.node != null && slot.core) {
        core.addFirst(slot);
      } else if (slot.node != null && !slot.firm) {
        units.add(new Unit(job, List.of(slot), List.of(), true, false, earned));
      }
    }
    if (!core.isEmpty() && job.isPreemptible()) {
      units.add(new Unit(job, core, List.copyOf(units), false, units.isEmpty(), earned));
    }
    return units;
  }

  /// What its gang would ask for to have it back.
  Ask ask() {
    return new Ask(job, slots, extra);
  }

  void take(Ground ground) {
    slots.forEach(ground::remove);
  }
}
