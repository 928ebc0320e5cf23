package io.berth.workloads.control;

import io.berth.api.Tree;
import io.berth.workloads.org.Usage;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.PodTemplate;
import io.berth.workloads.submit.WorkloadKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What phase a workload is in, told from its pods.
final class Phases {

  static final String NO_PROJECT = "namespace belongs to no project";

  /// In a status: why Berth itself stopped the workload.
  static final String STOP_REASON = "stopReason";

  private static final String TOO_MANY_FAILURES =
      "a pod failed more often than backoffLimit allows";

  private static final int HISTORY = 200;

  private Phases() {}

  /// What was seen; `message` is `null` when it says no more than before.
  record Seen(String phase, @Nullable String message, int running, List<String> pools) {

    Seen saying(String words) {
      return new Seen(phase, words, running, pools);
    }

    Tree writeTo(Tree workload, String now) {
      var status = workload.child("status");
      if (!workload.flag("spec", "suspend")) {
        status.remove(STOP_REASON);
      }
      var before = status.textOrEmpty("phase");
      if (!before.equals(phase)) {
        status.put("phase", phase).put("phaseUpdatedAt", now);
        status.put("phaseMessage", message == null ? "" : message);
        if (!phase.equals("Pending")) {
          status.remove("phaseReason");
          status.remove("pending");
        }
        if (isFinal(phase)) {
          status.put("completedAt", now);
        } else {
          status.remove("completedAt");
        }
        var history = new ArrayList<Object>(status.list("history"));
        history.add(Tree.of("phase", phase, "message", message == null ? "" : message, "at", now));
        status.put(
            "history",
            history.size() > HISTORY
                ? history.subList(history.size() - HISTORY, history.size())
                : history);
      } else if (message != null) {
        status.put("phaseMessage", message);
      }
      status.put("runningPods", running);
      if (!pools.isEmpty() || phase.equals("Stopped")) {
        status.put("currentNodePools", new ArrayList<Object>(pools));
      }
      return workload;
    }
  }

  static boolean isFinal(String phase) {
    return phase.equals("Completed") || phase.equals("Failed");
  }

  static Seen refused(String why) {
    return new Seen("Failed", why, 0, List.of());
  }

  static Seen deleting() {
    return new Seen("Deleting", null, 0, List.of());
  }

  static Seen of(Tree workload, List<Tree> pods) {
    var before = workload.textOrEmpty("status", "phase");
    var pools = new LinkedHashSet<String>();
    int running = 0;
    int ready = 0;
    int bound = 0;
    int succeeded = 0;
    int live = 0;
    var failures = new HashMap<String, Integer>();
    for (var pod : pods) {
      var phase = pod.textOrEmpty("status", "phase");
      if (phase.equals("Failed")) {
        var slot =
            pod.textOrEmpty("metadata", "labels", PodTemplate.ROLE_LABEL)
                + pod.textOrEmpty("metadata", "labels", PodTemplate.INDEX_LABEL);
        failures.merge(slot, 1, Integer::sum);
        continue;
      }
      if (phase.equals("Succeeded")) {
        succeeded++;
        continue;
      }
      if (pod.text("metadata", "deletionTimestamp") != null) {
        continue;
      }
      live++;
      if (!pod.textOrEmpty("spec", "nodeName").isEmpty()) {
        bound++;
        if (pod.at("metadata", "annotations", Usage.POOL_LABEL) instanceof String pool) {
          pools.add(pool);
        }
      }
      if (phase.equals("Running")) {
        running++;
        ready += isReady(pod) ? 1 : 0;
      }
    }
    if (workload.flag("spec", "suspend")) {
      return new Seen(
          pods.isEmpty() ? "Stopped" : "Stopping",
          workload.text("status", STOP_REASON),
          running,
          List.of());
    }
    var found = List.copyOf(pools);
    if (isOver(workload)) {
      return new Seen(before, null, running, found);
    }
    int wanted = PodRoles.of(workload).podCount();
    long limit = WorkloadStep.backoffLimit(workload);
    if (failures.values().stream().anyMatch(count -> count > limit)) {
      return new Seen("Failed", TOO_MANY_FAILURES, running, found);
    }
    var kind = WorkloadKind.of(workload.textOrEmpty("kind"));
    if (succeeded > 0 && isDone(workload, kind, pods, wanted, succeeded)) {
      return new Seen("Completed", null, 0, found);
    }
    if (live == 0 && succeeded == 0) {
      boolean resumed = before.equals("Stopped") || before.equals("Resuming");
      return new Seen(resumed ? "Resuming" : "Creating", null, 0, List.of());
    }
    int least = PodRoles.of(workload).leastPods();
    boolean elastic = least < wanted;
    boolean incomplete =
        elastic ? bound + succeeded < least : bound < live || live + succeeded < wanted;
    if (incomplete) {
      boolean wasRunning = before.equals("Running") || before.equals("Degraded");
      return new Seen(wasRunning && running > 0 ? "Degraded" : "Pending", null, running, found);
    }
    // What an elastic training runs beyond its minimum may wait without anybody waiting for it.
    int started = elastic ? bound : live;
    return new Seen(ready == started ? "Running" : "Initializing", null, running, found);
  }

  /// What has run to its end does not begin anew because its pods are removed.
  private static boolean isOver(Tree workload) {
    return switch (workload.textOrEmpty("status", "phase")) {
      case "Completed" -> true;
      case "Failed" ->
          workload.textOrEmpty("status", "phaseMessage").equals(TOO_MANY_FAILURES)
              && !WorkloadKind.of(workload.textOrEmpty("kind")).isInference();
      default -> false;
    };
  }

  /// A distributed training is over when its master is, the others when all their pods are.
  private static boolean isDone(
      Tree workload, WorkloadKind kind, List<Tree> pods, int wanted, int succeeded) {
    if (kind == WorkloadKind.DISTRIBUTED && PodRoles.of(workload).all().size() > 1) {
      return pods.stream()
          .anyMatch(pod ->
              pod.textOrEmpty("status", "phase").equals("Succeeded")
                  && !pod.textOrEmpty("metadata", "labels", PodTemplate.ROLE_LABEL)
                      .equals("worker"));
    }
    return succeeded >= Math.max(wanted, workload.number(wanted, "spec", "completions"));
  }

  private static boolean isReady(Tree pod) {
    for (var condition : pod.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("Ready")) {
        return condition.textOrEmpty("status").equals("True");
      }
    }
    return false;
  }
}
