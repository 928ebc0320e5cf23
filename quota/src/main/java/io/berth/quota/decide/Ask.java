package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import java.util.Comparator;
import java.util.List;

/// Pods that are placed together or not at all: what a gang lacks to run, or one of its extras.
record Ask(Job job, List<Slot> slots, boolean extra) {

  /// Within a project: what gangs need before extras, then priority; of extras everybody's first
  /// before anybody's second; then age.
  static final Comparator<Ask> ORDER =
      Comparator.comparing(Ask::extra)
          .thenComparingInt(ask -> -ask.job.gang.priority())
          .thenComparing(Ask::hasExtrasBefore)
          .thenComparing(ask -> ask.job.gang.createdAt())
          .thenComparing(ask -> ask.job.gang.id())
          .thenComparing(ask -> ask.slots.getFirst().key());

  /// What may not be evicted later decides by which quota the whole is measured.
  boolean firm() {
    return slots.getFirst().firm;
  }

  /// Whether other extras of its gang run already or come first.
  private boolean hasExtrasBefore() {
    if (extra) {
      for (var slot : job.slots) {
        if (!slot.core) {
          return !slots.getFirst().equals(slot);
        }
      }
    }
    return false;
  }

  boolean isPlaced() {
    return slots.getFirst().node != null;
  }

  long[] amounts() {
    return sum(slots);
  }

  static long[] sum(List<Slot> slots) {
    var sum = new long[Counted.COUNT];
    for (var slot : slots) {
      for (int r = 0; r < sum.length; r++) {
        sum[r] = Amounts.add(sum[r], slot.amounts[r]);
      }
    }
    return sum;
  }
}
