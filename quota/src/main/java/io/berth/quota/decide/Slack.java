package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.GpuRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How much more may be free in a pool than is left of its total by the books.
///
/// Books count what nodes do not offer: pods on nodes that were closed, left the pool or lost
/// devices, and memory as if all devices were as small as the smallest. Parts of devices are
/// rounded up as well; the pool counts those while they come and go.
final class Slack {

  /// More than there is of anything, and little enough to be added to.
  private static final long UNKNOWN = Long.MAX_VALUE / 4;

  private Slack() {}

  static long[] of(Pool pool, List<Job> jobs) {
    var slack = new long[Counted.COUNT];
    var used = new HashMap<String, long[]>();
    for (var job : jobs) {
      if (pool.equals(job.pool)) {
        job.slots.forEach(slot -> count(slot, used));
      }
      if (pool.mixesDevices() && job.slots.stream().anyMatch(Slack::asksForMemory)) {
        slack[Counted.GPU.index()] = UNKNOWN;
      }
    }
    addNotOffered(pool, used, slack);
    return slack;
  }

  private static boolean asksForMemory(Slot slot) {
    return slot.set.gpu() instanceof GpuRequest.Memory;
  }

  private static void count(Slot slot, Map<String, long[]> used) {
    if (slot.node != null) {
      var sum = used.computeIfAbsent(slot.node, _ -> new long[Counted.COUNT]);
      for (int r = 0; r < sum.length; r++) {
        sum[r] = Amounts.add(sum[r], slot.amounts[r]);
      }
    }
  }

  private static void addNotOffered(Pool pool, Map<String, long[]> used, long[] slack) {
    used.forEach((node, sum) -> {
      var offer = pool.offerOf(node);
      for (int r = 0; r < sum.length; r++) {
        slack[r] = Amounts.add(slack[r], Math.max(0, sum[r] - offer[r]));
      }
    });
  }
}
