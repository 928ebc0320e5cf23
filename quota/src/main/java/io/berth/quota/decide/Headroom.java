package io.berth.quota.decide;

import io.berth.quota.Counted;
import io.berth.quota.GpuRequest;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Whether an ask could fit as far as whole devices go: a cheap "no" before the engine is asked for
/// every pod.
///
/// For each size of pods it compares places with need. A node with `n` free devices has `n / size`
/// places, and a pod of `m` devices takes up at least `m / size` of them. What is taken for the ask
/// needs a place again, apart from what its side can lose.
final class Headroom {

  /// Larger pods are not looked at.
  private static final int MOST_DEVICES = Long.SIZE - 1;

  private final Pool pool;
  private final int[] asked;

  /// Whether a part of a device is asked for that no shared device has: one more is needed, unless
  /// somebody who shares one is taken.
  private final boolean opensDevice;

  /// The sizes of pods that matter, as bits.
  private final long sizesAsked;

  /// Some who lose together: how many at most, and what of theirs was taken.
  private static final class Tally {
    final long[] needs = new long[MOST_DEVICES + 1];
    long largest;
  }

  Headroom(List<Slot> slots, Pool pool, boolean opensDevice) {
    this.pool = pool;
    this.opensDevice = opensDevice;
    this.asked = new int[slots.size()];
    long sizes = 0;
    for (int i = 0; i < asked.length; i++) {
      asked[i] = wholeDevices(slots.get(i));
      sizes |= bit(asked[i]);
    }
    this.sizesAsked = opensDevice ? sizes | bit(1) : sizes;
  }

  private static int wholeDevices(Slot slot) {
    return slot.set.gpu() instanceof GpuRequest.Devices(var devices) ? devices : 0;
  }

  private static long bit(int devices) {
    return devices > 0 && devices <= MOST_DEVICES ? 1L << devices : 0;
  }

  /// With everything as it is now.
  boolean isEnough() {
    for (long left = sizesAsked; left != 0; left &= left - 1) {
      int size = Long.numberOfTrailingZeros(left);
      if (pool.gpus.places(size) < needOfAsk(size, opensDevice)) {
        return false;
      }
    }
    return true;
  }

  private long needOfAsk(int size, boolean oneMore) {
    long need = oneMore && size == 1 ? 1 : 0;
    for (int devices : asked) {
      need += devices / size;
    }
    return need;
  }

  /// With these taken as well, from where they are now.
  boolean isEnoughWithout(List<Unit> units, Function<Unit, Side> sides) {
    if (sizesAsked == 0) {
      return true;
    }
    long sizes = sizesAsked;
    boolean oneMore = opensDevice;
    for (var unit : units) {
      for (var slot : unit.slots) {
        sizes |= bit(wholeDevices(slot));
        oneMore &= slot.set.gpu() instanceof GpuRequest.Devices;
      }
    }
    var tallies = new IdentityHashMap<Side, Tally>();
    var places = new long[MOST_DEVICES + 1];
    for (long left = sizes; left != 0; left &= left - 1) {
      int size = Long.numberOfTrailingZeros(left);
      places[size] = pool.gpus.places(size);
    }
    Queue queue = null;
    var tally = new Tally();
    for (var unit : units) {
      // Those of one queue mostly follow each other.
      if (!unit.queue.equals(queue)) {
        queue = unit.queue;
        tally = tallies.computeIfAbsent(sides.apply(unit), _ -> new Tally());
      }
      add(unit, sizes, tally, places);
    }
    units.forEach(this::forget);
    for (long left = sizes; left != 0; left &= left - 1) {
      int size = Long.numberOfTrailingZeros(left);
      long need = needOfAsk(size, oneMore) + needOfTaken(size, tallies);
      if (places[size] < need) {
        return false;
      }
    }
    return true;
  }

  private void add(Unit unit, long sizes, Tally tally, long[] places) {
    tally.largest = Math.max(tally.largest, unit.amounts[Counted.GPU.index()]);
    for (int i = 0; i < unit.nodeIndexes.length; i++) {
      var slot = unit.slots.get(i);
      int node = unit.nodeIndexes[i];
      int whole = wholeDevices(slot);
      int freed = node == FreeGpus.NONE ? 0 : slot.set.gpu().devices();
      int before = freed == 0 ? 0 : pool.gpus.addForNow(node, freed);
      for (long left = sizes; left != 0; left &= left - 1) {
        int size = Long.numberOfTrailingZeros(left);
        tally.needs[size] += whole / size;
        places[size] += (before + freed) / size - before / size;
      }
    }
  }

  private void forget(Unit unit) {
    for (int node : unit.nodeIndexes) {
      if (node != FreeGpus.NONE) {
        pool.gpus.forget(node);
      }
    }
  }

  private static long needOfTaken(int size, Map<Side, Tally> tallies) {
    long need = 0;
    for (var entry : tallies.entrySet()) {
      var tally = entry.getValue();
      long lost = entry.getKey().mostLost(tally.largest) / (1000L * size);
      need += Math.max(0, tally.needs[size] - lost);
    }
    return need;
  }
}
