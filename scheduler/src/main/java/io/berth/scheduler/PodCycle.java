package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Scored;
import java.util.List;
import java.util.function.Function;

/// One attempt to place a pod that is placed by itself. Owned by the loop's thread.
final class PodCycle {

  /// How many nodes the journal names with their scores.
  private static final int BEST_NODES = 3;

  private final Engine engine;
  private final Extenders extenders;
  private final Outcomes outcomes;
  private final SchedulerMetrics metrics;
  private final Journal journal;
  private final Function<Pod, List<Scored>> best;
  private final Refusals refusals = new Refusals();

  PodCycle(
      Engine engine,
      Extenders extenders,
      Outcomes outcomes,
      SchedulerMetrics metrics,
      Journal journal) {
    this.engine = engine;
    this.extenders = extenders;
    this.outcomes = outcomes;
    this.metrics = metrics;
    this.journal = journal;
    this.best = pod -> engine.best(pod, BEST_NODES);
  }

  void run(PendingPod pending) {
    pending.attemptBegan(System.nanoTime());
    switch (decision(pending)) {
      case Decision.Placed placed -> outcomes.bind(pending, placed.node());
      case Decision.Unschedulable no -> outcomes.unschedulable(pending, no);
      case Decision.Failed failed -> outcomes.failed(pending, failed.error());
    }
  }

  /// The cluster is another one now: who was refused may fit.
  void clusterChanged() {
    refusals.clear();
  }

  private Decision decision(PendingPod pending) {
    var pod = pending.pod();
    if (extenders.isAnyInterestedIn(pod)) {
      refusals.clear();
      var extended = extenders.decide(pod, engine);
      measured(pending);
      journal.extended(pod, extended.decision(), extended.said());
      return extended.decision();
    }
    var known = refusals.find(pending);
    var decision = known == null ? freshDecision(pending) : known;
    measured(pending);
    journal.decided(pod, decision, best);
    return decision;
  }

  private void measured(PendingPod pending) {
    metrics.decided(
        pending.pod().spec().schedulerName(), System.nanoTime() - pending.attemptNanos());
  }

  private Decision freshDecision(PendingPod pending) {
    var decision = engine.decide(pending.pod());
    if (decision instanceof Decision.Unschedulable no) {
      refusals.remember(pending, no);
    } else {
      refusals.clear();
    }
    return decision;
  }
}
