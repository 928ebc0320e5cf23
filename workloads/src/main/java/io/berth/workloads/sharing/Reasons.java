package io.berth.workloads.sharing;

import io.berth.api.Tree;
import io.berth.quota.Outcome.Reason;
import io.berth.quota.Outcome.Refusal;
import io.berth.quota.Outcome.Waiting;
import io.berth.workloads.org.Projects;
import io.berth.workloads.state.Conditions;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.WorkloadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes into the status of a workload why it waits, and tells of it once in an event.
final class Reasons {

  private static final String NO_POOL =
      "failed finding node pool for assigning - all node pools from options are non available";

  private final State state;
  private final Projects projects;
  private final Notices notices;

  Reasons(State state, Projects projects, Notices notices) {
    this.state = state;
    this.projects = projects;
    this.notices = notices;
  }

  /// It has to wait.
  void waits(Tree workload, Waiting waiting) {
    var refusals = waiting.refusals();
    var message = refusals.isEmpty() ? NO_POOL : refusals.getFirst().message();
    var reason = reason(refusals);
    var condition = reason == null ? "Unschedulable" : reason;
    var now = state.times().now();
    if (isNews(workload, condition)) {
      notices.workload(workload, "Warning", condition, message);
    }
    change(
        workload,
        object -> {
          var status = object.child("status").put("phaseMessage", message);
          Conditions.put(object, "Scheduled", false, condition, message, now);
          if (reason == null) {
            status.remove("phaseReason");
            status.remove("pending");
          } else {
            status.put("phaseReason", reason).put("pending", pending(refusals));
          }
        });
  }

  /// Its turn has come; it starts as soon as these pods are gone.
  void startsAfter(Tree workload, List<String> pods) {
    var message = "starts when these pods are gone: " + String.join(", ", pods);
    var now = state.times().now();
    change(
        workload,
        object -> {
          var status = object.child("status").put("phaseMessage", message);
          status.remove("phaseReason");
          status.remove("pending");
          Conditions.put(object, "Scheduled", false, "WaitingForRoom", message, now);
        });
  }

  void starts(Tree workload, String pool) {
    var message = "starts in node pool " + pool;
    var now = state.times().now();
    change(
        workload, object -> Conditions.put(object, "Scheduled", true, "Scheduled", message, now));
  }

  private void change(Tree workload, Consumer<Tree> change) {
    state
        .table(WorkloadKind.of(workload.textOrEmpty("kind")).resource())
        .changeStatus(
            Pods.namespace(workload),
            Pods.name(workload),
            object -> {
              change.accept(object);
              return object;
            });
  }

  /// Messages change with every node that comes or goes; an event is for another kind of reason.
  private static boolean isNews(Tree workload, String reason) {
    for (var condition : workload.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("Scheduled")) {
        return !condition.textOrEmpty("status").equals("False")
            || !condition.textOrEmpty("reason").equals(reason);
      }
    }
    return true;
  }

  private static @Nullable String reason(List<Refusal> refusals) {
    for (var refusal : refusals) {
      if (name(refusal.reason()) != null) {
        return name(refusal.reason());
      }
    }
    return null;
  }

  /// The API has names for these two alone.
  private static @Nullable String name(Reason reason) {
    return switch (reason) {
      case NON_PREEMPTIBLE_OVER_QUOTA -> "NonPreemptibleOverQuota";
      case OVER_LIMIT -> "OverLimit";
      case NO_ROOM, HELD, INCOMPLETE, UNKNOWN_POOL, UNKNOWN_PROJECT -> null;
    };
  }

  private List<Object> pending(List<Refusal> refusals) {
    var pending = new ArrayList<Object>();
    for (var refusal : refusals) {
      var name = name(refusal.reason());
      if (name != null) {
        boolean ofProject = refusal.unit() == null || projects.find(refusal.unit()).isPresent();
        pending.add(
            Tree.of(
                "nodePool", refusal.pool(),
                "phaseReason", name,
                "reason", refusal.message(),
                "orgType", ofProject ? "PROJECT" : "DEPARTMENT",
                "userMessage", refusal.message()));
      }
    }
    return pending;
  }
}
