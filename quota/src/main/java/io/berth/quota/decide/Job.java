package io.berth.quota.decide;

import io.berth.quota.Gang;
import io.berth.quota.Gang.Member;
import io.berth.quota.Gang.PodSet;
import io.berth.quota.Gang.Preemptibility;
import io.berth.quota.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A gang during a pass: its pods, where they are, and what was said to it.
///
/// Pods that are ending are left out: their nodes count as free, and new pods take their places.
final class Job {

  final Gang gang;
  final List<Slot> slots = new ArrayList<>();

  /// Pods that must run but do not exist.
  final int missing;

  /// The pool its pods are in, or `null` while none of them is anywhere.
  @Nullable Pool pool;

  /// Whether what may be taken from it is listed as it is now; see [Takeable].
  boolean listed = true;

  /// Whether it got in this pass what others left for it in the last one.
  boolean kept;

  final Map<String, Outcome.Refusal> refusals = new LinkedHashMap<>();
  final List<Notice> notices = new ArrayList<>();

  /// Who made this gang give way, and how.
  record Notice(Outcome.Cause cause, @Nullable Job beneficiary, String message) {}

  Job(Gang gang) {
    this.gang = gang;
    int lacking = 0;
    for (var set : gang.sets()) {
      lacking += addAll(set);
    }
    this.missing = lacking;
  }

  /// The least that must run are the pods that do already, then those listed first.
  private int addAll(PodSet set) {
    var members = new ArrayList<Member>();
    set.pods().stream().filter(m -> m.isPlaced() && !m.pod().terminating()).forEach(members::add);
    set.pods().stream().filter(m -> !m.isPlaced() && !m.pod().terminating()).forEach(members::add);
    for (int i = 0; i < members.size(); i++) {
      boolean core = i < set.min();
      slots.add(new Slot(this, set, members.get(i), core, isFirm(core)));
    }
    return Math.max(0, set.min() - members.size());
  }

  private boolean isFirm(boolean core) {
    return switch (gang.preemptibility()) {
      case PREEMPTIBLE -> false;
      case SEMI_PREEMPTIBLE -> core;
      case NON_PREEMPTIBLE -> true;
    };
  }

  boolean isPreemptible() {
    return gang.preemptibility() == Preemptibility.PREEMPTIBLE;
  }

  /// The names of the pools it may start in; while any of its pods is in one, it is that.
  List<String> pools() {
    return pool != null && isSomewhere() ? List.of(pool.name()) : gang.pools();
  }

  boolean isSomewhere() {
    for (var slot : slots) {
      if (slot.node != null) {
        return true;
      }
    }
    return false;
  }

  /// Where its pods are.
  List<String> nodes() {
    var nodes = new ArrayList<String>();
    for (var slot : slots) {
      if (slot.node != null) {
        nodes.add(slot.node);
      }
    }
    return nodes;
  }

  /// The books of its project in the pool it is in.
  Queue queue() {
    return Objects.requireNonNull(pool).queueOf(this);
  }

  boolean isComplete() {
    return missing == 0 && slots.stream().noneMatch(slot -> slot.core && slot.node == null);
  }

  /// What it asks for now: what it lacks to run, and each extra on its own.
  List<Ask> asks() {
    var asks = new ArrayList<Ask>();
    var lacking = new ArrayList<Slot>();
    for (var slot : slots) {
      if (slot.node == null) {
        if (slot.core) {
          lacking.add(slot);
        } else {
          asks.add(new Ask(this, List.of(slot), true));
        }
      }
    }
    if (!lacking.isEmpty() && missing == 0) {
      asks.addFirst(new Ask(this, lacking, false));
    }
    return asks;
  }

  void refuse(Outcome.Refusal refusal) {
    refusals.put(refusal.pool(), refusal);
  }
}
