package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.OrgUnit;
import io.berth.quota.Quota;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The books of a department or project in one pool. Arrays are indexed by [Counted].
///
/// Only the pass that made it changes it; `book` changes the department along with the project.
final class Queue {

  private static final Counted[] RESOURCES = Counted.values();

  final OrgUnit unit;
  final @Nullable Queue parent;
  final List<Queue> children = new ArrayList<>();
  final int rank;

  /// Place among its siblings by age: the last word wherever two are equal.
  final int order;

  final long[] deserved = new long[Counted.COUNT];
  final long[] limit = new long[Counted.COUNT];
  final long[] weight = new long[Counted.COUNT];
  final long[] fairShare = new long[Counted.COUNT];

  /// The most nobody takes back for the sake of a share; see [#settle()].
  final long[] allocatable = new long[Counted.COUNT];

  final long[] allocated = new long[Counted.COUNT];
  final long[] nonPreemptible = new long[Counted.COUNT];
  final long[] demand = new long[Counted.COUNT];
  final long[] firmDemand = new long[Counted.COUNT];

  private final long[] total;

  /// `total` is all there is in the pool, by the end of its making.
  Queue(OrgUnit unit, @Nullable Queue parent, Quota quota, int order, long[] total) {
    this.unit = unit;
    this.parent = parent;
    this.total = total;
    if (parent != null) {
      parent.children.add(this);
    }
    this.rank = quota.rank();
    this.order = order;
    for (var resource : RESOURCES) {
      int r = resource.index();
      deserved[r] = quota.of(resource).deserved();
      limit[r] = quota.of(resource).limit();
      weight[r] = quota.of(resource).weightMillis();
    }
  }

  /// Counts (`sign` 1) or no longer counts (-1) what a pod takes; `firm` if it cannot be evicted.
  void book(long[] amounts, boolean firm, int sign) {
    for (int r = 0; r < Counted.COUNT; r++) {
      allocated[r] += sign * amounts[r];
      nonPreemptible[r] += firm ? sign * amounts[r] : 0;
    }
    if (parent != null) {
      parent.book(amounts, firm, sign);
    }
  }

  void demand(long[] amounts, boolean firm) {
    for (int r = 0; r < Counted.COUNT; r++) {
      var target = firm ? firmDemand : demand;
      target[r] = Amounts.add(target[r], amounts[r]);
    }
  }

  /// All it could use: demand that may not go over quota counts only within it, and a department
  /// wants what its projects do, however much it deserves.
  long wanted(int resource) {
    long firm = Math.min(firmDemand[resource], deserved[resource]);
    long sum = Amounts.add(demand[resource], firm);
    for (var child : children) {
      sum = Amounts.add(sum, child.wanted(resource));
    }
    return Math.min(sum, limit[resource]);
  }

  /// Works out what it may keep once its fair share is known: that or what it deserves, whichever
  /// is more, as far as its limit goes.
  void settle() {
    for (int r = 0; r < Counted.COUNT; r++) {
      allocatable[r] = Math.min(limit[r], Math.max(deserved[r], fairShare[r]));
    }
  }

  /// Whether it uses more than its fair share of everything.
  boolean isBeyondFairShare() {
    for (int r = 0; r < Counted.COUNT; r++) {
      if (allocated[r] <= fairShare[r]) {
        return false;
      }
    }
    return true;
  }

  /// Whether it would use something of which it has no share at all.
  boolean usesWithoutShare(long[] asked) {
    for (int r = 0; r < Counted.COUNT; r++) {
      if (allocatable[r] == 0 && allocated[r] + asked[r] > 0) {
        return true;
      }
    }
    return false;
  }

  /// Whether, with what is asked for, it uses no more than `measure` of anything.
  boolean staysWithin(long[] measure, long[] asked) {
    for (int r = 0; r < Counted.COUNT; r++) {
      if (Amounts.add(allocated[r], asked[r]) > measure[r]) {
        return false;
      }
    }
    return true;
  }

  /// The first resource of which `used` and what is asked for are together more than `measure`.
  static @Nullable Counted exceeded(long[] used, long[] measure, long[] asked) {
    for (int r = 0; r < Counted.COUNT; r++) {
      if (asked[r] > 0 && Amounts.add(used[r], asked[r]) > measure[r]) {
        return RESOURCES[r];
      }
    }
    return null;
  }

  /// The largest part it would use of what it may keep, of any resource; of what has no bounds, the
  /// largest part of all there is.
  Ratio dominantShare(long[] asked, long[] lost) {
    var most = Ratio.NOTHING;
    for (int r = 0; r < Counted.COUNT; r++) {
      long share = allocatable[r] == Long.MAX_VALUE ? total[r] : allocatable[r];
      most = most.max(Ratio.of(Math.max(0, Amounts.add(allocated[r], asked[r]) - lost[r]), share));
    }
    return most;
  }

  /// The queue of this branch right below the nearest common ancestor with `other`.
  Queue below(Queue other) {
    var queue = this;
    while (queue.parent != null && !queue.parent.isAbove(other)) {
      queue = queue.parent;
    }
    return queue;
  }

  /// Whether `other` is this queue or below it.
  boolean isAbove(Queue other) {
    for (var queue = other; queue != null; queue = queue.parent) {
      if (queue.equals(this)) {
        return true;
      }
    }
    return false;
  }

  static Amounts amounts(long[] values) {
    return new Amounts(
        values[Counted.GPU.index()], values[Counted.CPU.index()], values[Counted.MEMORY.index()]);
  }
}
