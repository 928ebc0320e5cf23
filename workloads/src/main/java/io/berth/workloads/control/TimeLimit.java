package io.berth.workloads.control;

import io.berth.api.Tree;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.SchedulingRules;
import io.berth.workloads.submit.WorkloadKind;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How long a workload may run before it is stopped, by its project's scheduling rules as they were
/// when it was accepted. To resume it starts the time anew.
final class TimeLimit {

  private static final String FIELD = "timeLimitSeconds";

  private TimeLimit() {}

  /// Writes down what holds for a workload that is being accepted.
  static void keep(Tree workload, Projects projects, Tree project) {
    var rule =
        switch (WorkloadKind.of(workload.textOrEmpty("kind"))) {
          case WORKSPACE -> "interactiveJobTimeLimitSeconds";
          case TRAINING, DISTRIBUTED -> "trainingJobTimeLimitSeconds";
          case INFERENCE, DISTRIBUTED_INFERENCE -> "";
        };
    var rules = SchedulingRules.effective(project, projects.department(project).orElse(null));
    if (rules != null && rules.get(rule) instanceof Number seconds) {
      workload.child("status").putIfAbsent(FIELD, seconds.longValue());
    }
  }

  /// When a workload has to stop; `null` when it does not run or may for ever.
  static @Nullable Instant ends(Tree workload) {
    long seconds = workload.number(0, "status", FIELD);
    var began = seconds == 0 || workload.flag("spec", "suspend") ? null : began(workload);
    return began == null ? null : began.plusSeconds(seconds);
  }

  static String message(Tree workload) {
    return "stopped: it ran for the %d s that its project's scheduling rules allow"
        .formatted(workload.number(0, "status", FIELD));
  }

  /// The first time it ran since it was stopped last.
  private static @Nullable Instant began(Tree workload) {
    Instant began = null;
    for (var entry : workload.trees("status", "history")) {
      switch (entry.textOrEmpty("phase")) {
        case "Stopped" -> began = null;
        case "Running" -> began = began == null ? Instant.parse(entry.textOrEmpty("at")) : began;
        default -> {}
      }
    }
    return began;
  }
}
