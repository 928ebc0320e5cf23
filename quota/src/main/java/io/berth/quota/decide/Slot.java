package io.berth.quota.decide;

import io.berth.api.Pod;
import io.berth.quota.Gang.Member;
import io.berth.quota.Gang.PodSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pod of a gang, and where it is at this moment of the pass.
final class Slot {

  final Job job;
  final PodSet set;
  final Pod pod;
  final @Nullable String startNode;
  final List<Integer> startDevices;

  /// Whether the gang needs it to run at all.
  final boolean core;

  /// Whether it may not be evicted, and so must stay within the deserved quota.
  final boolean firm;

  /// Changed by [Ground] alone.
  @Nullable String node;

  List<Integer> devices;
  long[] amounts = {};

  /// The disruption budgets that cover it, by index.
  int[] budgets = {};

  private @Nullable Pool counted;
  private long[] amountsThere = {};

  Slot(Job job, PodSet set, Member member, boolean core, boolean firm) {
    this.job = job;
    this.set = set;
    this.pod = member.pod();
    this.startNode = member.isPlaced() ? member.pod().nodeName() : null;
    this.startDevices = member.devices();
    this.core = core;
    this.firm = firm;
    this.devices = List.of();
  }

  /// What it counts for in a pool.
  long[] amountsIn(Pool pool) {
    if (!pool.equals(counted)) {
      amountsThere = pool.amountsOf(this);
      counted = pool;
    }
    return amountsThere;
  }

  /// Whether it is where it ran before the pass.
  boolean isAtStart() {
    return node != null && node.equals(startNode) && devices.equals(startDevices);
  }

  String key() {
    return pod.key();
  }

  /// Whether it ran before the pass and no longer runs where it did.
  boolean hasLeft() {
    return startNode != null && !(startNode.equals(node) && startDevices.equals(devices));
  }

  boolean hasCome() {
    return node != null && !(node.equals(startNode) && startDevices.equals(devices));
  }
}
