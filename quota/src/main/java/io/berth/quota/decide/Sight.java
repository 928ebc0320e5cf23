package io.berth.quota.decide;

import io.berth.quota.GpuRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Victims that a search has come to so far, by node, and where they promise room for a pod.
final class Sight {

  private final int devices;
  private final int[] left;
  private final Map<Integer, List<Unit>> byNode = new HashMap<>();
  private final Map<Job, List<Unit>> byJob = new HashMap<>();

  /// For one pod, as the pool is now.
  Sight(Slot slot, Pool pool) {
    this.devices = slot.set.gpu() instanceof GpuRequest.Devices(var whole) ? whole : 0;
    this.left = pool.gpus.copy();
  }

  void add(Unit unit) {
    if (!unit.alone) {
      byJob.computeIfAbsent(unit.job, _ -> new ArrayList<>()).add(unit);
    }
    for (int i = 0; i < unit.nodeIndexes.length; i++) {
      int node = unit.nodeIndexes[i];
      byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(unit);
      if (node != FreeGpus.NONE) {
        left[node] += unit.slots.get(i).set.gpu().devices();
      }
    }
  }

  /// The nodes of a unit on which, with all that was added, there may be room.
  List<Integer> promising(Unit unit) {
    var nodes = new ArrayList<Integer>(unit.nodeIndexes.length);
    for (int node : unit.nodeIndexes) {
      if ((node == FreeGpus.NONE || left[node] >= devices) && !nodes.contains(node)) {
        nodes.add(node);
      }
    }
    return nodes;
  }

  /// All that was added of gangs that are on the node, in the order in which it goes.
  List<Unit> on(int node) {
    var there = new LinkedHashSet<Unit>();
    for (var unit : byNode.getOrDefault(node, List.of())) {
      there.addAll(unit.alone ? List.of(unit) : byJob.getOrDefault(unit.job, List.of()));
    }
    var found = new ArrayList<>(there);
    found.sort(Comparator.comparingInt(unit -> unit.turn));
    return found;
  }
}
