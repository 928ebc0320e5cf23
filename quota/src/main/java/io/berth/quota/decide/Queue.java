package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.OrgUnit;
import io.berth.quota.Quota;
import org.jspecify.annotations.Nullable;

/// The books of a department or project in one pool. Arrays are indexed by [Counted].
///
/// Only the pass that made it changes it; `book` changes the department along with the project.
final class Queue {

  private static final Counted[] RESOURCES = Counted.values();

  final OrgUnit unit;
  final @Nullable Queue parent;
  final int rank;

  /// Place among its siblings by age: the last word wherever two are equal.
  final int order;

  final long[] deserved = new long[Counted.COUNT];
  final long[] limit = new long[Counted.COUNT];
  final long[] weight = new long[Counted.COUNT];
  final long[] fairShare = new long[Counted.COUNT];
  final long[] allocated = new long[Counted.COUNT];
  final long[] nonPreemptible = new long[Counted.COUNT];
  final long[] demand = new long[Counted.COUNT];
  final long[] firmDemand = new long[Counted.COUNT];

  /// For whoever goes through queues and then through gangs; means nothing in between.
  boolean marked;

  Queue(OrgUnit unit, @Nullable Queue parent, Quota quota, int order) {
    this.unit = unit;
    this.parent = parent;
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

  /// All it could use: demand that may not go over quota counts only within it.
  long wanted(int resource) {
    long firm = Math.min(firmDemand[resource], deserved[resource]);
    return Math.min(Amounts.add(demand[resource], firm), limit[resource]);
  }

  /// Whether it uses more than `measure` of something that is asked for.
  boolean isOver(long[] measure, long[] asked) {
    for (int r = 0; r < Counted.COUNT; r++) {
      if (asked[r] > 0 && allocated[r] > measure[r]) {
        return true;
      }
    }
    return false;
  }

  /// Whether, of what is asked for and used beyond its fair share, at least what it deserves would
  /// be left without `amounts`.
  boolean keepsDeserved(long[] asked, long[] amounts) {
    for (int r = 0; r < Counted.COUNT; r++) {
      boolean over = asked[r] > 0 && allocated[r] > fairShare[r];
      if (over && allocated[r] - amounts[r] < deserved[r]) {
        return false;
      }
    }
    return true;
  }

  /// Whether what is asked for still keeps within `measure`.
  boolean staysWithin(long[] measure, long[] asked) {
    return exceeded(allocated, measure, asked) == null;
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

  /// The largest part of its fair share it would use of any resource.
  Ratio dominantShare(long[] asked) {
    var most = Ratio.NOTHING;
    for (int r = 0; r < Counted.COUNT; r++) {
      most = most.max(Ratio.of(Amounts.add(allocated[r], asked[r]), fairShare[r]));
    }
    return most;
  }

  /// The queue of this branch right below the nearest common ancestor with `other`.
  Queue below(Queue other) {
    return parent == null || parent.equals(other.parent) ? this : parent;
  }

  static Amounts amounts(long[] values) {
    return new Amounts(
        values[Counted.GPU.index()], values[Counted.CPU.index()], values[Counted.MEMORY.index()]);
  }
}
