package io.berth.controllers.kubelet;

import io.berth.api.Tree;
import io.berth.controllers.kubelet.Admission.Allocation;
import io.berth.controllers.kubelet.Admission.Rejection;
import io.berth.controllers.runtime.Meta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One simulated node: which pods it has admitted, whether it is up, and its last Lease.
///
/// All state is behind the agent's lock; nothing here waits for the API.
final class NodeAgent {

  private static final long CRITICAL = 2_000_000_000;

  private final Map<String, Allocation> admitted = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();
  private final Set<String> rebooted = new HashSet<>();
  private final Map<String, Instant> stopping = new HashMap<>();
  private Tree node;
  private @Nullable Tree lease;
  private Failure failure = Failure.NONE;

  NodeAgent(Tree node) {
    this.node = node;
    this.failure = Failure.of(node);
  }

  synchronized Tree node() {
    return node;
  }

  /// Takes the node's newest object; tells whether it has just come up.
  synchronized boolean update(Tree newest) {
    var before = failure;
    var wasUp = isUp();
    node = newest;
    failure = Failure.of(newest);
    if (before == Failure.POWER_LOSS && failure == Failure.NONE) {
      rebooted.addAll(admitted.keySet());
    }
    return !wasUp && isUp();
  }

  synchronized boolean hasFailed() {
    return failure != Failure.NONE;
  }

  /// Whether it runs pods: a node that has not said yet what it has cannot admit any.
  synchronized boolean isUp() {
    return failure == Failure.NONE && !node.treeOrEmpty("status", "allocatable").isEmpty();
  }

  synchronized @Nullable Tree lease() {
    return lease;
  }

  synchronized void lease(@Nullable Tree newest) {
    lease = newest;
  }

  /// Counts a pod that this node ran before this process did.
  synchronized void recall(Tree pod) {
    admitted.put(Meta.uid(pod), Allocation.of(pod));
  }

  synchronized boolean hasAdmitted(String uid) {
    return admitted.containsKey(uid);
  }

  /// Admits the pod and holds what it asks for, or says why not.
  synchronized Verdict admit(Tree pod) {
    var mine = Allocation.of(pod);
    var rejection = Admission.check(pod, node, admitted.values());
    if (rejection != null
        && mine.priority() >= CRITICAL
        && rejection.reason().startsWith("OutOf")) {
      var victims = victims(mine, pod);
      if (victims != null) {
        victims.forEach(victim -> admitted.remove(victim.uid()));
        admitted.put(mine.uid(), mine);
        return new Verdict(null, victims);
      }
    }
    if (rejection == null) {
      admitted.put(mine.uid(), mine);
    }
    return new Verdict(rejection, List.of());
  }

  /// Gives an admitted pod what it asks for now; `null` when that fits.
  synchronized @Nullable Rejection resize(Tree pod) {
    var now = Allocation.of(pod);
    var held = admitted.get(now.uid());
    if (held == null || held.requests().equals(now.requests())) {
      return null;
    }
    admitted.remove(now.uid());
    var rejection = Admission.resources(now.requests(), node, admitted.values());
    admitted.put(now.uid(), rejection == null ? now : held);
    return rejection;
  }

  synchronized void forget(String uid) {
    admitted.remove(uid);
    rebooted.remove(uid);
    stopping.remove(uid);
  }

  /// When this pod was first seen to be deleted.
  synchronized Instant stoppingSince(String uid, Instant now) {
    return stopping.computeIfAbsent(uid, _ -> now);
  }

  /// Whether power was lost since the last call for this pod.
  synchronized boolean takeRebooted(String uid) {
    return rebooted.remove(uid);
  }

  synchronized @Nullable String address(String uid) {
    return addresses.get(uid);
  }

  synchronized void address(String uid, String address) {
    addresses.put(uid, address);
  }

  synchronized @Nullable String releaseAddress(String uid) {
    return addresses.remove(uid);
  }

  /// The fewest lower-priority pods, lowest first, without which the critical pod fits.
  private @Nullable List<Allocation> victims(Allocation mine, Tree pod) {
    var candidates = new ArrayList<>(admitted.values());
    candidates.removeIf(other -> other.priority() >= mine.priority());
    candidates.sort(Comparator.comparingLong(Allocation::priority));
    var others = new HashMap<>(admitted);
    var victims = new ArrayList<Allocation>();
    for (var candidate : candidates) {
      others.remove(candidate.uid());
      victims.add(candidate);
      if (Admission.check(pod, node, others.values()) == null) {
        return victims;
      }
    }
    return null;
  }

  /// What has happened to the node, set by the annotation `berth.io/failure`.
  enum Failure {
    NONE,
    /// The node runs on, and nobody hears of it.
    PARTITION,
    /// The node is off; what ran on it starts again when it comes back.
    POWER_LOSS;

    static Failure of(Tree node) {
      var text = Meta.annotation(node, "berth.io/failure");
      if (text == null || text.isEmpty()) {
        return NONE;
      }
      return text.equals("power-loss") ? POWER_LOSS : PARTITION;
    }
  }

  /// `victims` have to make room for a critical pod.
  record Verdict(@Nullable Rejection rejection, List<Allocation> victims) {}
}
