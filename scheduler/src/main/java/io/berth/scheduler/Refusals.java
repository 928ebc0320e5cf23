package io.berth.scheduler;

import io.berth.engine.Decision;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/// Refusals since the cluster last changed: pods that are alike get the same answer until it does.
///
/// What names a node to wait for is not kept, because acting on it changes the cluster.
final class Refusals {

  /// Beyond this many kinds of pods it begins anew.
  private static final int LIMIT = 1024;

  private final IdentityHashMap<Alike, Decision.Unschedulable> answers = new IdentityHashMap<>();

  Decision.@Nullable Unschedulable find(PendingPod pending) {
    return pending.pod().status().nominatedNodeName().isEmpty()
        ? answers.get(pending.alike())
        : null;
  }

  void remember(PendingPod pending, Decision.Unschedulable answer) {
    var preemption = answer.preemption();
    boolean evicts = preemption != null && preemption.node() != null;
    if (!evicts && pending.pod().status().nominatedNodeName().isEmpty()) {
      if (answers.size() == LIMIT) {
        answers.clear();
      }
      answers.put(pending.alike(), answer);
    } else {
      answers.clear();
    }
  }

  void clear() {
    answers.clear();
  }
}
