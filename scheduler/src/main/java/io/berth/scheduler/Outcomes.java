package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Preemption;
import io.berth.scheduler.SchedulerMetrics.Result;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What follows from a decision: the pod is bound, or goes back to the queue and its users hear
/// why. On the loop's thread; what comes back from the API comes through the inbox.
final class Outcomes {

  private final LongSupplier millis;
  private final World world;
  private final SchedulingQueue queue;
  private final Nominations nominations;
  private final PodGroups groups;
  private final Inbox inbox;
  private final Binder binder;
  private final Reporter reporter;
  private final Preemptor preemptor;
  private final SchedulerMetrics metrics;

  Outcomes(
      LongSupplier millis,
      World world,
      SchedulingQueue queue,
      Nominations nominations,
      PodGroups groups,
      Inbox inbox,
      Binder binder,
      Reporter reporter,
      Preemptor preemptor,
      SchedulerMetrics metrics) {
    this.millis = millis;
    this.world = world;
    this.queue = queue;
    this.nominations = nominations;
    this.groups = groups;
    this.inbox = inbox;
    this.binder = binder;
    this.reporter = reporter;
    this.preemptor = preemptor;
    this.metrics = metrics;
  }

  /// The pod counts on the node from now on; the API is told on another thread.
  void bind(PendingPod pending, String node) {
    var pod = pending.pod();
    nominations.remove(pod);
    var volumes = world.assume(pod, node);
    binder.bind(
        pod,
        node,
        volumes,
        new Binder.Outcome() {
          @Override
          public void binding() {
            pending.withdrawReports();
          }

          @Override
          public void bound() {
            attempted(Result.SCHEDULED, pending);
            metrics.bound(
                pod.spec().schedulerName(),
                pending.attempts(),
                (millis.getAsLong() - pending.firstAttemptMillis()) * 1_000_000);
            reporter.scheduled(pod, node);
            inbox.add(_ -> queue.drop(pending));
          }

          @Override
          public void refused(String error, boolean settled) {
            inbox.add(_ -> refusedBind(pending, error, settled));
          }
        });
  }

  private void refusedBind(PendingPod pending, String error, boolean settled) {
    world.forget(pending.pod());
    if (settled) {
      queue.drop(pending);
    } else {
      failed(pending, error);
    }
  }

  /// The attempt broke: again after a pause.
  void failed(PendingPod pending, String error) {
    var pod = pending.pod();
    attempted(Result.ERROR, pending);
    nominations.remove(pod);
    queue.failed(pending, millis.getAsLong());
    if (!pending.alreadyTold(error, millis.getAsLong())) {
      reporter.pending(pending, "SchedulerError", error, "");
    }
  }

  /// The attempt ended by a defect, somewhere: whoever of it is nowhere is tried again.
  void broke(PendingPod pending, String error) {
    var group = pending.pod().group() == null ? null : PodGroups.keyOf(pending.pod());
    var keys = group == null ? List.of(pending.key()) : groups.waiting(group);
    for (var key : keys) {
      queue
          .find(key)
          .filter(one -> one.where() == PendingPod.Where.NOWHERE && world.placed(key) == null)
          .ifPresent(one -> failed(one, error));
    }
  }

  /// No node takes the pod; perhaps evictions make room.
  void unschedulable(PendingPod pending, Decision.Unschedulable no) {
    var pod = pending.pod();
    var nomination = nomination(no.preemption());
    rejected(pending, no.message(), no.rejectors(), nomination);
    if (nomination != null && !nomination.isEmpty()) {
      nominations.add(pod, nomination);
      evict(List.of(pending), nomination, victims(no.preemption(), nomination), pod.uid(), "pod");
    }
  }

  /// The pod waits for an event that helps one of `rejectors`. `nomination` is the node it waits
  /// for, `""` when none is promised any more, `null` when nothing changes.
  void rejected(
      PendingPod pending, String message, Set<String> rejectors, @Nullable String nomination) {
    var pod = pending.pod();
    attempted(Result.UNSCHEDULABLE, pending);
    if (nomination != null && nomination.isEmpty()) {
      nominations.remove(pod);
    }
    if (!pending.alreadyTold(message + nomination, millis.getAsLong())) {
      reporter.pending(pending, "Unschedulable", message, nomination);
    }
    queue.rejected(pending, rejectors, millis.getAsLong());
  }

  /// Evicts the victims; until that is done, events do not bring the preemptors back.
  void evict(List<PendingPod> preemptors, String node, List<Pod> victims, String uid, String kind) {
    var pod = preemptors.getFirst().pod();
    if (kind.equals("pod")) {
      clearLowerNominations(pod, node);
    }
    metrics.preempting(victims.size());
    preemptors.forEach(pending -> pending.preempting(true));
    preemptor.evict(
        new Preemptor.Cause(pod, uid, kind, node),
        victims,
        all ->
            inbox.add(_ ->
                preemptors.forEach(pending ->
                    queue.preemptionEnded(pending.pod().key(), !all, millis.getAsLong()))));
  }

  private static @Nullable String nomination(@Nullable Preemption preemption) {
    if (preemption == null) {
      return "";
    }
    if (preemption.keepsNomination()) {
      return null;
    }
    return preemption.node() == null ? "" : preemption.node();
  }

  private List<Pod> victims(@Nullable Preemption preemption, String node) {
    var candidate = preemption == null ? null : preemption.candidates().get(node);
    return candidate == null ? List.of() : withTheirGroups(candidate.victims());
  }

  /// The pods, and all others of groups that are disrupted whole.
  private List<Pod> withTheirGroups(List<String> keys) {
    var victims = new LinkedHashMap<String, Pod>();
    for (var key : keys) {
      var victim = world.placed(key);
      if (victim != null) {
        victims.put(key, victim);
        if (groups.isDisruptedWhole(victim)) {
          for (var other : groups.placed(PodGroups.keyOf(victim))) {
            var member = world.placed(other);
            if (member != null) {
              victims.put(other, member);
            }
          }
        }
      }
    }
    return new ArrayList<>(victims.values());
  }

  // A pod of lower priority that waits for this node would be disappointed: it looks again.
  private void clearLowerNominations(Pod preemptor, String node) {
    for (var pod : nominations.below(preemptor.priority(), node)) {
      nominations.remove(pod);
      queue.find(pod.key()).ifPresent(PendingPod::tellAgain);
      reporter.clearNomination(pod);
    }
  }

  private void attempted(Result result, PendingPod pending) {
    var profile = pending.pod().spec().schedulerName();
    metrics.attempted(result, profile, System.nanoTime() - pending.attemptNanos());
  }
}
