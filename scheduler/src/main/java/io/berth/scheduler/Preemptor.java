package io.berth.scheduler;

import io.berth.api.ApiException;
import io.berth.api.Pod;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.cluster.Cluster.PatchType;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;

/// Evicts the victims of a preemption: marks each with the DisruptionTarget condition, then deletes
/// it with its own grace period. All but the last first, so that the preemptor is woken once.
final class Preemptor {

  private final Cluster cluster;
  private final Reporter reporter;
  private final InstantSource clock;

  Preemptor(Cluster cluster, Reporter reporter, InstantSource clock) {
    this.cluster = cluster;
    this.reporter = reporter;
    this.clock = clock;
  }

  /// Works on a thread of its own; `done` hears whether every victim is on its way out.
  void evict(Cause cause, List<Pod> victims, Consumer<Boolean> done) {
    cluster
        .crew()
        .start(
            "evict",
            () -> {
              boolean all = true;
              for (var victim : victims) {
                all &= evict(cause, victim);
              }
              done.accept(all);
            });
  }

  private boolean evict(Cause cause, Pod victim) {
    try {
      if (!victim.terminating()) {
        mark(cause, victim);
        cluster.delete(
            Resource.PODS, victim.namespace(), victim.name(), DeleteOptions.of(victim.uid()));
        reporter.preempted(victim, cause);
      }
      return true;
    } catch (ApiException e) {
      return e.code() == 404;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /// For whom: a pod, or a group (`kind` is `podgroup` then, and `pod` one of its pods).
  record Cause(Pod pod, String uid, String kind, String node) {}

  private void mark(Cause cause, Pod victim) {
    var condition =
        Tree.of(
            "type",
            "DisruptionTarget",
            "status",
            "True",
            "reason",
            "PreemptionByScheduler",
            "message",
            "%s: preempting to accommodate a higher priority %s"
                .formatted(cause.pod().spec().schedulerName(), cause.kind()),
            "observedGeneration",
            victim.generation(),
            "lastTransitionTime",
            clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    cluster.patch(
        Resource.PODS,
        victim.namespace(),
        victim.name(),
        "status",
        PatchType.STRATEGIC,
        Tree.of(
            "metadata",
            Tree.of("uid", victim.uid()),
            "status",
            Tree.of("conditions", List.of(condition))));
  }
}
