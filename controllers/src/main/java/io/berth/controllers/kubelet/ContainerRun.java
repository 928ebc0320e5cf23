package io.berth.controllers.kubelet;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One container's way through waiting, running, terminated and restarting.
///
/// Everything it needs stands in the container's status, so that a restarted process goes on where
/// the last one stopped. [#advance] takes all steps that are due and notes when the next one is.
final class ContainerRun {

  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

  private final Tree pod;
  private final Tree container;
  private final Instant now;
  private Tree state;
  private Tree lastState;
  private long restarts;
  private @Nullable Instant wake;
  private boolean startedNow;

  ContainerRun(Tree pod, Tree container, @Nullable Tree status, Instant now) {
    this.pod = pod;
    this.container = container;
    this.now = now;
    this.state = status == null ? new Tree() : status.treeOrEmpty("state");
    this.lastState = status == null ? new Tree() : status.treeOrEmpty("lastState");
    this.restarts = status == null ? 0 : status.number(0, "restartCount");
  }

  /// `runFor` is `null` for ever; `policy` is Always, OnFailure or Never.
  void advance(@Nullable Duration runFor, long exitCode, String policy) {
    while (true) {
      if (isRunning()) {
        if (runFor == null) {
          return;
        }
        var end = startedAt().plus(runFor);
        if (end.isAfter(now)) {
          wakeAt(end);
          return;
        }
        terminate(exitCode, exitCode == 0 ? "Completed" : "Error");
      } else if (isTerminated() || isBackingOff()) {
        if (!restarts(policy) || !restart()) {
          return;
        }
      } else {
        start();
      }
    }
  }

  void waitFor(String reason) {
    if (!isRunning() && !isTerminated()) {
      state = Tree.of("waiting", Tree.of("reason", reason));
    }
  }

  void terminate(long exitCode, String reason) {
    if (isTerminated()) {
      return;
    }
    var terminated = Tree.of("exitCode", exitCode, "reason", reason);
    if (isRunning()) {
      terminated.put("startedAt", state.textOrEmpty("running", "startedAt"));
    } else {
      terminated.put("startedAt", null);
    }
    terminated.put("finishedAt", Meta.time(now)).put("containerID", containerId());
    state = Tree.of("terminated", terminated);
  }

  boolean isRunning() {
    return state.tree("running") != null;
  }

  boolean isTerminated() {
    return state.tree("terminated") != null;
  }

  boolean hasRun() {
    return isRunning() || isTerminated() || lastState.tree("terminated") != null;
  }

  long exitCode() {
    return state.number(0, "terminated", "exitCode");
  }

  /// Terminated, and staying so.
  boolean isOver(String policy) {
    return isTerminated() && !restarts(policy);
  }

  boolean startedNow() {
    return startedNow;
  }

  Instant startedAt() {
    return Meta.instant(state, now, "running", "startedAt");
  }

  /// When the next step is due; `null` when none is.
  @Nullable Instant wake() {
    return wake;
  }

  void wakeAt(Instant at) {
    wake = wake == null || at.isBefore(wake) ? at : wake;
  }

  String name() {
    return container.textOrEmpty("name");
  }

  /// The status that the API shows. `started` is absent while it means nothing.
  Tree status(boolean ready, @Nullable Tree resources) {
    var image = container.textOrEmpty("image");
    var status =
        Tree.of("name", name())
            .put("state", state)
            .put("lastState", lastState)
            .put("ready", ready)
            .put("restartCount", restarts)
            .put("image", image)
            .put("imageID", hasRun() ? "simulated://" + image : "")
            .put("started", isRunning());
    if (hasRun()) {
      status.put("containerID", containerId());
    }
    if (resources != null) {
      status.put("resources", resources);
      var requests = resources.tree("requests");
      if (requests != null) {
        status.put("allocatedResources", requests);
      }
    }
    return status;
  }

  private boolean isBackingOff() {
    return state.textOrEmpty("waiting", "reason").equals("CrashLoopBackOff");
  }

  private boolean restarts(String policy) {
    var exit = isTerminated() ? exitCode() : lastState.number(0, "terminated", "exitCode");
    return policy.equals("Always") || (policy.equals("OnFailure") && exit != 0);
  }

  private void start() {
    state = Tree.of("running", Tree.of("startedAt", Meta.time(now)));
    startedNow = true;
  }

  /// As in Kubernetes: the first restart comes at once, then 10 s, 20 s, … up to five minutes.
  private boolean restart() {
    if (isTerminated()) {
      lastState = state;
    }
    var finished = Meta.instant(lastState, now, "terminated", "finishedAt");
    var backoff = backoff();
    var due = finished.plus(backoff);
    if (due.isAfter(now)) {
      var message =
          "back-off %s restarting failed container=%s pod=%s_%s(%s)"
              .formatted(text(backoff), name(), Meta.name(pod), Meta.namespace(pod), Meta.uid(pod));
      state = Tree.of("waiting", Tree.of("reason", "CrashLoopBackOff", "message", message));
      wakeAt(due);
      return false;
    }
    restarts++;
    start();
    return true;
  }

  private Duration backoff() {
    if (restarts == 0) {
      return Duration.ZERO;
    }
    var doubled = FIRST_BACKOFF.multipliedBy(1L << Math.min(restarts - 1, 10));
    return doubled.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : doubled;
  }

  private static String text(Duration backoff) {
    var minutes = backoff.toMinutes();
    return minutes == 0 ? backoff.toSeconds() + "s" : minutes + "m" + backoff.toSecondsPart() + "s";
  }

  private String containerId() {
    return "simulated://%s/%s/%d".formatted(Meta.uid(pod), name(), restarts);
  }
}
