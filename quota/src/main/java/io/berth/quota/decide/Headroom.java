package io.berth.quota.decide;

import io.berth.quota.GpuRequest;
import java.util.ArrayList;
import java.util.List;

/// Whether an ask could fit as far as whole devices go: a cheap "no" before the engine is asked for
/// every pod.
final class Headroom {

  private final FreeGpus gpus;
  private final List<Kind> kinds = new ArrayList<>();

  /// Pods of the ask with the same number of devices.
  private static final class Kind {
    final int each;
    int pods;
    long places;

    Kind(int each) {
      this.each = each;
    }
  }

  Headroom(List<Slot> slots, Pool pool) {
    this.gpus = pool.gpus;
    for (var slot : slots) {
      if (slot.set.gpu() instanceof GpuRequest.Devices(var devices) && devices > 0) {
        kind(devices).pods++;
      }
    }
  }

  private Kind kind(int devices) {
    for (var kind : kinds) {
      if (kind.each == devices) {
        return kind;
      }
    }
    kinds.add(new Kind(devices));
    return kinds.getLast();
  }

  /// With everything as it is now.
  boolean isEnough() {
    return isEnoughWithout(List.of());
  }

  /// With these gone as well.
  boolean isEnoughWithout(List<Unit> units) {
    for (var kind : kinds) {
      kind.places = gpus.places(kind.each);
    }
    if (!units.isEmpty() && !kinds.isEmpty()) {
      addAll(units);
    }
    for (var kind : kinds) {
      if (kind.places < kind.pods) {
        return false;
      }
    }
    return true;
  }

  private void addAll(List<Unit> units) {
    var extra = new int[gpus.nodes()];
    for (var unit : units) {
      for (int i = 0; i < unit.nodeIndexes.length; i++) {
        int node = unit.nodeIndexes[i];
        if (node != FreeGpus.NONE) {
          int before = gpus.free(node) + extra[node];
          int devices = unit.slots.get(i).set.gpu().devices();
          extra[node] += devices;
          for (var kind : kinds) {
            kind.places += (before + devices) / kind.each - before / kind.each;
          }
        }
      }
    }
  }
}
