package io.berth.kinds.core;

import io.berth.api.PodPhase;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.meta.Ages;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A pod as `kubectl get pods` shows it: how many containers are ready, and in one word how it is.
///
/// Mirrors: printers/internalversion.printPod
final class PodRow {

  private final Tree pod;
  private final Instant now;
  private final Set<String> sidecars = new HashSet<>();

  private int ready;
  private long restarts;
  private @Nullable Instant lastRestart;
  private String reason;

  PodRow(Tree pod, Instant now) {
    this.pod = pod;
    this.now = now;
    var phase = pod.textOrEmpty("status", "phase");
    var why = pod.textOrEmpty("status", "reason");
    this.reason = why.isEmpty() ? phase : why;
  }

  List<@Nullable Object> cells() {
    for (var condition : pod.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("PodScheduled")
          && condition.textOrEmpty("reason").equals("SchedulingGated")) {
        reason = "SchedulingGated";
      }
    }
    int total = pod.trees("spec", "containers").size();
    for (var container : pod.trees("spec", "initContainers")) {
      if (container.textOrEmpty("restartPolicy").equals("Always")) {
        sidecars.add(container.textOrEmpty("name"));
        total++;
      }
    }
    boolean initializing = initContainers();
    if (!initializing || hasTrueCondition("Initialized")) {
      containers();
    }
    deletion();
    return Cells.row(
        Cells.name(pod),
        ready + "/" + total,
        reason,
        restartsCell(),
        Cells.age(pod, now),
        Cells.orNone(firstAddress()),
        Cells.orNone(pod.textOrEmpty("spec", "nodeName")),
        Cells.orNone(pod.textOrEmpty("status", "nominatedNodeName")),
        readinessGates());
  }

  private long sidecarRestarts;
  private @Nullable Instant lastSidecarRestart;

  /// Walks the init containers up to the one at work; whether there is one.
  private boolean initContainers() {
    var statuses = pod.trees("status", "initContainerStatuses");
    for (int i = 0; i < statuses.size(); i++) {
      var status = statuses.get(i);
      restarts += status.number(0, "restartCount");
      lastRestart = later(lastRestart, finished(status));
      boolean sidecar = sidecars.contains(status.textOrEmpty("name"));
      if (sidecar) {
        sidecarRestarts += status.number(0, "restartCount");
        lastSidecarRestart = later(lastSidecarRestart, finished(status));
      }
      var terminated = status.tree("state", "terminated");
      var waiting = status.textOrEmpty("state", "waiting", "reason");
      if (terminated != null && terminated.number(0, "exitCode") == 0) {
        continue;
      }
      if (sidecar && status.flag("started")) {
        if (status.flag("ready")) {
          ready++;
        }
        continue;
      }
      if (terminated != null) {
        reason = "Init:" + terminatedReason(terminated);
      } else if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
        reason = "Init:" + waiting;
      } else {
        reason = "Init:" + i + "/" + pod.trees("spec", "initContainers").size();
      }
      return true;
    }
    return false;
  }

  private void containers() {
    restarts = sidecarRestarts;
    lastRestart = lastSidecarRestart;
    boolean running = false;
    var error = "";
    var statuses = pod.trees("status", "containerStatuses");
    for (int i = statuses.size() - 1; i >= 0; i--) {
      var status = statuses.get(i);
      restarts += status.number(0, "restartCount");
      lastRestart = later(lastRestart, finished(status));
      var waiting = status.textOrEmpty("state", "waiting", "reason");
      var terminated = status.tree("state", "terminated");
      if (!waiting.isEmpty()) {
        reason = waiting;
      } else if (terminated != null) {
        reason = terminatedReason(terminated);
        if (terminated.number(0, "exitCode") != 0) {
          error = reason;
        }
      } else if (status.flag("ready") && status.at("state", "running") != null) {
        running = true;
        ready++;
      }
    }
    if (reason.equals("Completed")) {
      if (running && hasTrueCondition("Ready")) {
        reason = "Running";
      } else if (!error.isEmpty()) {
        reason = error;
      } else if (running) {
        reason = "NotReady";
      }
    }
  }

  private void deletion() {
    if (pod.at("metadata", "deletionTimestamp") == null) {
      return;
    }
    if (pod.textOrEmpty("status", "reason").equals("NodeLost")) {
      reason = "Unknown";
    } else if (!PodPhase.isTerminal(pod)) {
      reason = "Terminating";
    }
  }

  private static String terminatedReason(Tree terminated) {
    var why = terminated.textOrEmpty("reason");
    if (!why.isEmpty()) {
      return why;
    }
    long signal = terminated.number(0, "signal");
    return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.number(0, "exitCode");
  }

  private boolean hasTrueCondition(String type) {
    return pod.trees("status", "conditions").stream()
        .anyMatch(condition ->
            condition.textOrEmpty("type").equals(type)
                && condition.textOrEmpty("status").equals("True"));
  }

  private static @Nullable Instant finished(Tree status) {
    var time = status.textOrEmpty("lastState", "terminated", "finishedAt");
    return time.isEmpty() ? null : Instant.parse(time);
  }

  private static @Nullable Instant later(@Nullable Instant a, @Nullable Instant b) {
    return a == null || (b != null && b.isAfter(a)) ? b : a;
  }

  private String restartsCell() {
    var last = lastRestart;
    return restarts == 0 || last == null
        ? String.valueOf(restarts)
        : "%d (%s ago)".formatted(restarts, Ages.between(last, now));
  }

  private String firstAddress() {
    var addresses = pod.trees("status", "podIPs");
    return addresses.isEmpty() ? "" : addresses.getFirst().textOrEmpty("ip");
  }

  private String readinessGates() {
    var gates = pod.trees("spec", "readinessGates");
    if (gates.isEmpty()) {
      return Cells.NONE;
    }
    long met =
        gates.stream().filter(gate -> hasTrueCondition(gate.textOrEmpty("conditionType"))).count();
    return met + "/" + gates.size();
  }

  /// Rows of pods that have ended say so, for clients that show them differently.
  static List<Tree> conditions(Tree pod) {
    return switch (pod.textOrEmpty("status", "phase")) {
      case "Succeeded" -> List.of(completed("Succeeded", "The pod has completed successfully."));
      case "Failed" -> List.of(completed("Failed", "The pod failed."));
      default -> List.of();
    };
  }

  private static Tree completed(String reason, String message) {
    return Tree.of("type", "Completed", "status", "True", "reason", reason, "message", message);
  }
}
