package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.scheduler.PendingPod.Where;
import io.berth.scheduler.SchedulerMetrics.Queue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Who waits for what: ready pods by priority, pods that pause, pods that wait for an event, pods
/// that are gated. Owned by the loop's thread.
///
/// A pod that was rejected waits in the pool until an event comes that, by the hints of the plugins
/// that rejected it, can help; then it pauses or is ready at once. The pool is indexed by plugin,
/// so that an event looks only at pods whose rejectors care for it.
final class SchedulingQueue {

  /// A pod that waited this long is retried although no event came; each is counted as a defect.
  static final long SWEEP_AFTER_MILLIS = 5 * 60_000;

  private static final Comparator<PendingPod> READY_ORDER =
      Comparator.comparing((PendingPod pod) -> pod.pod().priority(), Comparator.reverseOrder())
          .thenComparingLong(PendingPod::timestampMillis)
          .thenComparing(PendingPod::key);

  private static final Comparator<PendingPod> GROUP_ORDER =
      Comparator.comparing((PendingPod pod) -> pod.pod().priority(), Comparator.reverseOrder())
          .thenComparing(PendingPod::attempts, Comparator.reverseOrder())
          .thenComparingLong(PendingPod::timestampMillis)
          .thenComparing(PendingPod::key);

  private final Backoff backoff;
  private final Pool pool;
  private final PodGroups groups;
  private final SchedulerMetrics metrics;
  private final Map<String, PendingPod> pods = new HashMap<>();
  private final TreeSet<PendingPod> active = new TreeSet<>(READY_ORDER);
  private final TreeSet<PendingPod> paused;
  private final TreeSet<PendingPod> pausedByError;
  private final Map<Alike, Likeness> kinds = new HashMap<>();
  private long sweptPods;
  private int gatedSize;

  SchedulingQueue(Backoff backoff, Hints hints) {
    this(backoff, hints, new PodGroups(), SchedulerMetrics.NONE);
  }

  SchedulingQueue(Backoff backoff, Hints hints, PodGroups groups, SchedulerMetrics metrics) {
    this.backoff = backoff;
    this.pool = new Pool(hints);
    this.groups = groups;
    this.metrics = metrics;
    this.paused =
        new TreeSet<>(Comparator.comparingLong(backoff::expirySecond).thenComparing(READY_ORDER));
    this.pausedByError =
        new TreeSet<>(
            Comparator.comparingLong(backoff::expirySecond).thenComparing(PendingPod::key));
  }

  /// A pending pod appeared, or changed while it waits.
  void put(Pod pod, long nowMillis) {
    var known = pods.get(pod.key());
    if (known != null && !known.pod().uid().equals(pod.uid())) {
      remove(known.pod().key());
      known = null;
    }
    if (known == null) {
      var pending = new PendingPod(pod, likenessOf(pod), nowMillis);
      pods.put(pod.key(), pending);
      enter(pending, Kind.UNSCHEDULED_POD_ADD);
    } else {
      replace(known, pod, nowMillis);
    }
  }

  /// The pod is gone or has a node.
  void remove(String key) {
    var pending = pods.remove(key);
    if (pending != null) {
      leave(pending);
      forget(pending.alike());
    }
  }

  /// This very attempt is over; a newer pod of the same name is not touched.
  void drop(PendingPod pending) {
    if (isCurrent(pending)) {
      remove(pending.key());
    }
  }

  List<Pod> pods() {
    return pods.values().stream().map(PendingPod::pod).toList();
  }

  Optional<PendingPod> find(String key) {
    return Optional.ofNullable(pods.get(key));
  }

  /// The next pod to decide, or `null`. An idle scheduler takes pausing pods early, as Kubernetes
  /// does, but never those that pause after an error.
  @Nullable PendingPod pop(long nowMillis) {
    var next = active.pollFirst();
    if (next == null) {
      next = paused.pollFirst();
    }
    if (next != null) {
      next.moveTo(Where.NOWHERE);
      next.popped(nowMillis);
    }
    return next;
  }

  /// Takes all pods of a group that can be tried now, in the order in which they are placed.
  List<PendingPod> popGroup(PendingPod first, long nowMillis) {
    var members = new ArrayList<PendingPod>();
    members.add(first);
    for (var key : groups.waiting(PodGroups.keyOf(first.pod()))) {
      var pending = pods.get(key);
      if (pending != null && isWaiting(pending) && !pending.preempting()) {
        leave(pending);
        pending.popped(nowMillis);
        members.add(pending);
      }
    }
    members.sort(GROUP_ORDER);
    members.forEach(pending -> pending.groupSize(members.size()));
    return members;
  }

  private static boolean isWaiting(PendingPod pending) {
    return pending.where() != Where.NOWHERE && pending.where() != Where.GATED;
  }

  /// Something about the group is new: pods that waited for it outside may be ready now.
  void groupChanged(String group, long nowMillis) {
    for (var key : groups.waiting(group)) {
      var pending = pods.get(key);
      if (pending != null && pending.where() == Where.GATED && !isGated(pending.pod())) {
        leave(pending);
        activate(pending, Kind.POD_GROUP_ADD.toString());
      }
    }
  }

  private boolean isGated(Pod pod) {
    return !pod.spec().schedulingGates().isEmpty() || groups.gate(pod).isPresent();
  }

  /// Plugins rejected the pod: it waits for an event that helps one of them. When nobody in
  /// particular did (there are no nodes), nobody can be waited for: it is tried again.
  void rejected(PendingPod pending, Set<String> rejectors, long nowMillis) {
    if (rejectors.isEmpty()) {
      failed(pending, nowMillis);
      return;
    }
    if (!isCurrent(pending)) {
      return;
    }
    pending.rejected(rejectors, nowMillis);
    pool(pending);
    metrics.queued(Queue.UNSCHEDULABLE, "ScheduleAttemptFailure");
  }

  /// The rest of its group found a place without it: it waits like a rejected pod, unpunished.
  void leftOver(PendingPod pending, Set<String> rejectors, long nowMillis) {
    if (isCurrent(pending)) {
      pending.leftOver(rejectors, nowMillis);
      pool(pending);
      metrics.queued(Queue.UNSCHEDULABLE, "ScheduleAttemptFailure");
    }
  }

  /// Something broke: the pod is tried again after a pause, whatever happens meanwhile.
  void failed(PendingPod pending, long nowMillis) {
    if (!isCurrent(pending)) {
      return;
    }
    pending.failed(nowMillis);
    pending.moveTo(Where.ERROR_BACKOFF);
    pausedByError.add(pending);
    metrics.queued(Queue.BACKOFF, "ScheduleAttemptFailure");
  }

  /// Moves every pod that the event can help.
  void wake(ClusterEvent event, long nowMillis) {
    for (var pending : pool.helpedBy(event)) {
      retry(pending, event.kind(), nowMillis);
    }
  }

  /// The evictions for this pod are done (or failed, and then it is retried at once).
  void preemptionEnded(String key, boolean retryNow, long nowMillis) {
    var pending = pods.get(key);
    if (pending == null || !pending.preempting()) {
      return;
    }
    pending.preempting(false);
    if (pending.where() == Where.UNSCHEDULABLE && (retryNow || pending.worthRetrying())) {
      retry(pending, Kind.FORCE_ACTIVATE, nowMillis);
    }
  }

  /// Brings back pods whose pause is over; call at least once a second.
  void flush(long nowMillis) {
    flush(paused, nowMillis);
    flush(pausedByError, nowMillis);
  }

  /// Retries what waited too long for an event; a non-zero count means that a hint is missing.
  int sweep(long nowMillis) {
    var waiting = pool.waitingSince(nowMillis - SWEEP_AFTER_MILLIS);
    for (var pending : waiting) {
      retry(pending, Kind.WILDCARD, nowMillis);
      metrics.swept();
    }
    int swept = waiting.size();
    sweptPods += swept;
    return swept;
  }

  /// Milliseconds until [#flush] has something to do, at most `limit`.
  long millisToNextFlush(long nowMillis, long limit) {
    var first = pausedByError.isEmpty() ? null : pausedByError.first();
    var wait = first == null ? limit : (backoff.expirySecond(first) + 1) * 1000 - nowMillis;
    return Math.clamp(wait, 1, limit);
  }

  /// Whether a pod pauses after an error, and not for the longest time already: those that do may
  /// go on so for ever.
  boolean hasPausedByError() {
    return pausedByError.stream().anyMatch(pod -> !backoff.isLongest(pod));
  }

  boolean hasReady() {
    return !active.isEmpty() || !paused.isEmpty();
  }

  int activeCount() {
    return active.size();
  }

  int backoffCount() {
    return paused.size() + pausedByError.size();
  }

  int unschedulableCount() {
    return pool.size();
  }

  int gatedCount() {
    return gatedSize;
  }

  long sweptPods() {
    return sweptPods;
  }

  private boolean isCurrent(PendingPod pending) {
    return pods.get(pending.key()) == pending;
  }

  private void replace(PendingPod pending, Pod newer, long nowMillis) {
    var before = pending.pod();
    switch (pending.where()) {
      case GATED -> {
        swap(pending, newer);
        if (!isGated(newer)) {
          leave(pending);
          enter(pending, Kind.TARGET_POD_GATES_ELIMINATED);
        }
      }
      case UNSCHEDULABLE -> {
        pool.remove(pending);
        swap(pending, newer);
        pool.add(pending);
        for (var event : Changes.ofTarget(before, newer)) {
          if (pending.where() == Where.UNSCHEDULABLE && pool.helps(pending, event)) {
            retry(pending, event.kind(), nowMillis);
          }
        }
      }
      case ACTIVE, BACKOFF, ERROR_BACKOFF -> {
        var where = pending.where();
        leave(pending);
        swap(pending, newer);
        store(where).add(pending);
        pending.moveTo(where);
      }
      case NOWHERE -> swap(pending, newer);
    }
  }

  private void swap(PendingPod pending, Pod newer) {
    var before = pending.alike();
    pending.replace(newer, likenessOf(newer));
    forget(before);
  }

  /// The one instance for all pods like this, which is kept as long as there are any.
  private Alike likenessOf(Pod pod) {
    var likeness = kinds.computeIfAbsent(Alike.of(pod), Likeness::new);
    likeness.pods++;
    return likeness.alike;
  }

  private void forget(Alike alike) {
    var likeness = kinds.get(alike);
    if (likeness != null && --likeness.pods == 0) {
      kinds.remove(alike);
    }
  }

  private static final class Likeness {

    private final Alike alike;
    private int pods;

    Likeness(Alike alike) {
      this.alike = alike;
    }
  }

  private NavigableSet<PendingPod> store(Where where) {
    return switch (where) {
      case ACTIVE -> active;
      case BACKOFF -> paused;
      case ERROR_BACKOFF -> pausedByError;
      case NOWHERE, UNSCHEDULABLE, GATED ->
          throw new IllegalArgumentException(where + " is no ordered store");
    };
  }

  private void enter(PendingPod pending, Kind event) {
    if (!isGated(pending.pod())) {
      activate(pending, event.toString());
    } else {
      pending.moveTo(Where.GATED);
      gatedSize++;
      metrics.queued(Queue.GATED, event.toString());
    }
  }

  private void activate(PendingPod pending, String event) {
    pending.moveTo(Where.ACTIVE);
    active.add(pending);
    metrics.queued(Queue.ACTIVE, event);
  }

  private void pool(PendingPod pending) {
    pending.moveTo(Where.UNSCHEDULABLE);
    pending.worthRetrying(false);
    pool.add(pending);
    count(pending, 1);
  }

  private void count(PendingPod pending, int change) {
    for (var plugin : pending.rejectors()) {
      metrics.unschedulable(plugin, pending.pod().spec().schedulerName(), change);
    }
  }

  private void retry(PendingPod pending, Kind event, long nowMillis) {
    if (pending.preempting()) {
      pending.worthRetrying(true);
      return;
    }
    leave(pending);
    if (backoff.isOver(pending, nowMillis)) {
      activate(pending, event.toString());
    } else {
      pending.moveTo(Where.BACKOFF);
      paused.add(pending);
      metrics.queued(Queue.BACKOFF, event.toString());
    }
  }

  private void leave(PendingPod pending) {
    switch (pending.where()) {
      case ACTIVE, BACKOFF, ERROR_BACKOFF -> store(pending.where()).remove(pending);
      case UNSCHEDULABLE -> {
        pool.remove(pending);
        count(pending, -1);
      }
      case GATED -> gatedSize--;
      case NOWHERE -> {}
    }
    pending.moveTo(Where.NOWHERE);
  }

  private void flush(NavigableSet<PendingPod> pausing, long nowMillis) {
    var ready = new ArrayList<PendingPod>();
    for (var pending : pausing) {
      if (!backoff.isOver(pending, nowMillis)) {
        break;
      }
      ready.add(pending);
    }
    for (var pending : ready) {
      pausing.remove(pending);
      activate(pending, "BackoffComplete");
    }
  }
}
