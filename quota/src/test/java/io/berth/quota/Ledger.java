package io.berth.quota;

import io.berth.api.Quantity;
import io.berth.quota.Gang.Member;
import io.berth.quota.Gang.PodSet;
import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.OrgUnit.Project;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Counts GPUs the slow, obvious way, straight from the gangs: what the arbiter's books must equal.
final class Ledger {

  private final World world;

  Ledger(World world) {
    this.world = world;
  }

  /// Thousandths of devices that a unit's pods hold in a pool.
  long allocated(OrgUnit unit, String pool, boolean firmOnly) {
    long sum = 0;
    for (var gang : world.gangs.values()) {
      boolean counts = gang.running() != null && gang.running().pool().equals(pool);
      if (counts && isOf(gang, unit)) {
        for (var set : gang.sets()) {
          sum += heldBy(gang, set, firmOnly);
        }
      }
    }
    return sum;
  }

  private static long heldBy(Gang gang, PodSet set, boolean firmOnly) {
    long pods = set.pods().stream().filter(Member::isPlaced).count();
    if (firmOnly && gang.preemptibility() == Preemptibility.PREEMPTIBLE) {
      return 0;
    }
    boolean coreOnly = firmOnly && gang.preemptibility() == Preemptibility.SEMI_PREEMPTIBLE;
    return (coreOnly ? Math.min(pods, set.min()) : pods) * millis(set.gpu());
  }

  static long millis(GpuRequest gpu) {
    return switch (gpu) {
      case GpuRequest.Devices(var devices) -> devices * 1000L;
      case GpuRequest.Portion(var devices, var micros) -> Math.ceilDiv(devices * micros, 1000);
      case GpuRequest.Memory _ -> throw new IllegalArgumentException("not used here");
    };
  }

  /// What a gang must have to start.
  static long least(Gang gang) {
    return gang.sets().stream().mapToLong(set -> set.min() * millis(set.gpu())).sum();
  }

  boolean isOf(Gang gang, OrgUnit unit) {
    return gang.project().equals(unit.id()) || project(gang).department().equals(unit.id());
  }

  Project project(Gang gang) {
    return find(world.projects, gang.project());
  }

  OrgUnit.Department department(Project project) {
    return find(world.departments, project.department());
  }

  private static <T extends OrgUnit> T find(List<T> units, String id) {
    return units.stream().filter(unit -> unit.id().equals(id)).findFirst().orElseThrow();
  }

  /// Devices that nobody uses, by node of a pool, with the pods of these gangs gone.
  Map<String, Long> freeDevices(String pool, List<Gang> gone) {
    var free = new HashMap<String, Long>();
    for (var node : world.nodes) {
      if (Objects.equals(node.labels().get(World.POOL_LABEL), pool)) {
        free.put(
            node.name(), node.allocatable().getOrDefault("nvidia.com/gpu", Quantity.ZERO).value());
      }
    }
    var shared = new HashSet<String>();
    for (var gang : world.gangs.values()) {
      if (!gone.contains(gang)) {
        for (var set : gang.sets()) {
          set.pods().stream()
              .filter(Member::isPlaced)
              .forEach(member -> take(member, set.gpu(), free, shared));
        }
      }
    }
    return free;
  }

  private static void take(
      Member member, GpuRequest gpu, Map<String, Long> free, Set<String> shared) {
    var node = member.pod().nodeName();
    if (gpu instanceof GpuRequest.Devices(var devices)) {
      free.computeIfPresent(node, (_, left) -> left - devices);
    }
    for (int device : member.devices()) {
      if (shared.add(node + " " + device)) {
        free.computeIfPresent(node, (_, left) -> left - 1);
      }
    }
  }

  /// Whether the least pods of a gang of one set find room on devices that nobody uses.
  static boolean fits(Gang gang, Map<String, Long> free) {
    var set = gang.sets().getFirst();
    if (set.gpu() instanceof GpuRequest.Portion(var _, var micros)) {
      return free.values().stream().mapToLong(left -> left * (1_000_000 / micros)).sum()
          >= set.min();
    }
    int each = set.gpu().devices();
    return each == 0 || free.values().stream().mapToLong(left -> left / each).sum() >= set.min();
  }
}
