package io.berth.workloads.sharing;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.quota.Outcome.Cause;
import io.berth.quota.Outcome.Eviction;
import io.berth.workloads.state.Conditions;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.WorkloadKind;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes pods that make way for others, and says so: in an event of the pod, and in the status of
/// its workload.
final class Evictions {

  /// What was admitted and finds no node for so long goes back to wait for its turn.
  static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Logger log = LoggerFactory.getLogger(Evictions.class);

  private final State state;
  private final Notices notices;

  Evictions(State state, Notices notices) {
    this.state = state;
    this.notices = notices;
  }

  void evict(Tree workload, Eviction eviction) {
    for (var pod : state.podsOf(workload)) {
      if (eviction.pods().contains(Pods.key(pod)) && !Pods.isEnding(pod)) {
        var message = eviction.messageFor(Pods.key(pod));
        log.info("{}", message);
        notices.pod(
            pod, "Normal", eviction.cause() == Cause.STALE ? "Evicted" : "Preempted", message);
        delete(pod);
      }
    }
    tell(workload, eviction);
  }

  private void tell(Tree workload, Eviction eviction) {
    var message = eviction.messageFor(eviction.pods().getFirst());
    var now = state.times().now();
    boolean ends =
        workload.flag("spec", "terminateAfterPreemption")
            && (eviction.cause() == Cause.RECLAIM || eviction.cause() == Cause.PREEMPTION);
    var table = state.table(WorkloadKind.of(workload.textOrEmpty("kind")).resource());
    if (ends) {
      table.change(
          Pods.namespace(workload),
          Pods.name(workload),
          object -> object.putAt(true, "spec", "suspend"));
    }
    table.changeStatus(
        Pods.namespace(workload),
        Pods.name(workload),
        object -> {
          Conditions.put(object, "Preempted", true, reason(eviction.cause()), message, now);
          return object.putAt(message, "status", "phaseMessage");
        });
  }

  private static String reason(Cause cause) {
    return switch (cause) {
      case RECLAIM -> "Reclaim";
      case PREEMPTION -> "Preempt";
      case CONSOLIDATION -> "Consolidation";
      case STALE -> "StaleGang";
    };
  }

  /// Takes back pods the scheduler finds no node for, since others came between: while they wait
  /// they would keep their project's quota to themselves.
  void withdraw(Tree workload) {
    for (var pod : state.podsOf(workload)) {
      var since = Pods.unschedulableSince(pod);
      if (since != null && !since.plus(PATIENCE).isAfter(state.times().instant())) {
        notices.pod(
            pod,
            "Warning",
            "Requeued",
            "Pod %s found no node for %d seconds and waits for its turn again"
                .formatted(Pods.key(pod), PATIENCE.toSeconds()));
        delete(pod);
      }
    }
  }

  private void delete(Tree pod) {
    state.table(Resource.PODS).delete(pod);
  }
}
