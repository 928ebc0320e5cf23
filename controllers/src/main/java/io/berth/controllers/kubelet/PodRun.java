package io.berth.controllers.kubelet;

import io.berth.api.PodPhase;
import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a pod that its node has admitted looks like now, and when it will look different.
///
/// Pure: the answer follows from the pod, the behaviour and the time.
final class PodRun {

  private static final String DEADLINE =
      "Pod was active on the node longer than the specified deadline";

  private final Tree pod;
  private final Tree spec;
  private final Tree old;
  private final Behaviour behaviour;
  private final Place place;
  private final Instant now;
  private final String policy;
  private final Instant startTime;
  private final List<ContainerRun> inits = new ArrayList<>();
  private final List<ContainerRun> mains = new ArrayList<>();
  private final List<ContainerRun> ephemerals = new ArrayList<>();
  private final List<String> started = new ArrayList<>();
  private @Nullable Instant wake;

  PodRun(Tree pod, Behaviour behaviour, Place place, Instant now) {
    this.pod = pod;
    this.spec = pod.treeOrEmpty("spec");
    this.old = pod.treeOrEmpty("status");
    this.behaviour = behaviour;
    this.place = place;
    this.now = now;
    this.policy = spec.text("restartPolicy") == null ? "Always" : spec.textOrEmpty("restartPolicy");
    this.startTime = Meta.instant(old, now, "startTime");
    runs(inits, "initContainers", "initContainerStatuses");
    runs(mains, "containers", "containerStatuses");
    runs(ephemerals, "ephemeralContainers", "ephemeralContainerStatuses");
  }

  private void runs(List<ContainerRun> runs, String containers, String statuses) {
    for (var container : spec.trees(containers)) {
      Tree known = null;
      for (var status : old.trees(statuses)) {
        if (status.textOrEmpty("name").equals(container.text("name"))) {
          known = status;
        }
      }
      runs.add(new ContainerRun(pod, container, known, now));
    }
  }

  /// The pod's next status.
  Step next() {
    var deadline = spec.number(-1, "activeDeadlineSeconds");
    if (deadline >= 0) {
      var end = startTime.plusSeconds(deadline);
      if (!end.isAfter(now)) {
        stopAll(137, "Error");
        return step(
            status(PodPhase.FAILED).put("reason", "DeadlineExceeded").put("message", DEADLINE));
      }
      wakeAt(end);
    }
    if (place.rebooted()) {
      lose();
    }
    var ready = startTime.plus(behaviour.startAfter(pod)).plus(place.delay());
    if (ready.isAfter(now)) {
      wakeAt(ready);
      inits.forEach(run -> run.waitFor("PodInitializing"));
      mains.forEach(run -> run.waitFor(inits.isEmpty() ? "ContainerCreating" : "PodInitializing"));
      return step(status("Pending"));
    }
    var initialized = initialize();
    if (initialized == Init.FAILED) {
      return step(status(PodPhase.FAILED));
    }
    if (initialized == Init.BUSY) {
      mains.forEach(run -> run.waitFor("PodInitializing"));
      return step(status("Pending"));
    }
    for (var run : mains) {
      run.advance(behaviour.runFor(pod, run.name()), behaviour.exitCode(pod, run.name()), policy);
    }
    if (mains.stream().allMatch(run -> run.isOver(policy))) {
      stopAll(0, "Completed");
      var failed = mains.stream().anyMatch(run -> run.exitCode() != 0);
      return step(status(failed ? PodPhase.FAILED : PodPhase.SUCCEEDED));
    }
    for (var run : ephemerals) {
      run.advance(null, 0, "Never");
    }
    return step(status("Running"));
  }

  /// The status of a pod whose containers have been stopped because it is deleted.
  Step stopped() {
    stopAll(137, "Error");
    var failed = mains.stream().anyMatch(run -> run.exitCode() != 0);
    return step(status(failed ? PodPhase.FAILED : PodPhase.SUCCEEDED));
  }

  /// Power was lost: what ran is gone, and nobody knows how it ended.
  private void lose() {
    for (var run : inits) {
      if (run.isRunning()) {
        run.terminate(255, "Unknown");
      }
    }
    for (var run : mains) {
      if (run.isRunning()) {
        run.terminate(255, "Unknown");
      }
    }
  }

  private Init initialize() {
    for (int i = 0; i < inits.size(); i++) {
      var run = inits.get(i);
      if (isSidecar(i)) {
        run.advance(null, 0, "Always");
        continue;
      }
      var initPolicy = policy.equals("Never") ? "Never" : "OnFailure";
      run.advance(
          behaviour.initRunsFor(pod, run.name()),
          behaviour.initExitCode(pod, run.name()),
          initPolicy);
      if (run.isTerminated() && run.exitCode() == 0) {
        continue;
      }
      for (var later : inits.subList(i + 1, inits.size())) {
        later.waitFor("PodInitializing");
      }
      return run.isOver(initPolicy) ? Init.FAILED : Init.BUSY;
    }
    return Init.DONE;
  }

  private boolean isSidecar(int init) {
    var container = spec.trees("initContainers").get(init);
    return container.textOrEmpty("restartPolicy").equals("Always");
  }

  private void stopAll(long exitCode, String reason) {
    for (var runs : List.of(inits, mains, ephemerals)) {
      for (var run : runs) {
        if (run.isRunning()) {
          run.terminate(exitCode, reason);
        }
      }
    }
  }

  private Tree status(String phase) {
    var status = old.copy();
    status.remove("reason");
    status.remove("message");
    status.put("observedGeneration", Meta.generation(pod));
    status.put("phase", phase);
    status.put("hostIP", place.hostIp()).put("hostIPs", List.of(Tree.of("ip", place.hostIp())));
    if (!phase.equals("Pending") || !inits.isEmpty()) {
      status.put("podIP", place.podIp()).put("podIPs", List.of(Tree.of("ip", place.podIp())));
    }
    status.put("startTime", Meta.time(startTime));
    var unready = containers(status, phase);
    conditions(status, phase, unready);
    return status;
  }

  /// Fills the container statuses; the names of containers that are not ready.
  private List<String> containers(Tree status, String phase) {
    var unready = new ArrayList<String>();
    if (!inits.isEmpty()) {
      var statuses = new ArrayList<Tree>();
      for (int i = 0; i < inits.size(); i++) {
        var run = inits.get(i);
        var ready = isSidecar(i) ? run.isRunning() : run.isTerminated() && run.exitCode() == 0;
        statuses.add(run.status(ready, resources("initContainers", run)));
        if (isSidecar(i) && !ready) {
          unready.add(run.name());
        }
      }
      status.put("initContainerStatuses", statuses);
    }
    var statuses = new ArrayList<Tree>();
    for (var run : mains) {
      var ready = phase.equals("Running") && isReady(run);
      statuses.add(run.status(ready, resources("containers", run)));
      if (!ready) {
        unready.add(run.name());
      }
    }
    status.put("containerStatuses", statuses);
    if (!ephemerals.isEmpty()) {
      var ephemeral = new ArrayList<Tree>();
      ephemerals.forEach(run -> ephemeral.add(run.status(false, null)));
      status.put("ephemeralContainerStatuses", ephemeral);
    }
    for (var runs : List.of(inits, mains, ephemerals)) {
      for (var run : runs) {
        if (run.wake() != null) {
          wakeAt(run.wake());
        }
        if (run.startedNow()) {
          started.add(run.name());
        }
      }
    }
    return unready;
  }

  private boolean isReady(ContainerRun run) {
    if (!run.isRunning()) {
      return false;
    }
    var after = behaviour.readyAfter(pod, run.name());
    if (after == null) {
      return false;
    }
    var at = run.startedAt().plus(after);
    if (at.isAfter(now)) {
      wakeAt(at);
      return false;
    }
    return true;
  }

  /// What the container holds: the spec's, unless the node could not give that much yet.
  private Tree resources(String containers, ContainerRun run) {
    if (place.resizeRefused()) {
      var statuses =
          containers.equals("containers") ? "containerStatuses" : "initContainerStatuses";
      for (var status : old.trees(statuses)) {
        if (status.textOrEmpty("name").equals(run.name()) && status.tree("resources") != null) {
          return status.treeOrEmpty("resources").copy();
        }
      }
    }
    for (var container : spec.trees(containers)) {
      if (container.textOrEmpty("name").equals(run.name())) {
        return container.treeOrEmpty("resources").copy();
      }
    }
    return new Tree();
  }

  private void conditions(Tree status, String phase, List<String> unready) {
    var over = PodPhase.isTerminal(phase);
    var initialized = inits.isEmpty() || !phase.equals("Pending");
    set(status, "PodReadyToStartContainers", !over, "", "");
    if (phase.equals(PodPhase.SUCCEEDED)) {
      set(status, "Initialized", true, "PodCompleted", "");
    } else if (initialized) {
      set(status, "Initialized", true, "", "");
    } else {
      set(status, "Initialized", false, "ContainersNotInitialized", incomplete());
    }
    var reason =
        phase.equals(PodPhase.SUCCEEDED)
            ? "PodCompleted"
            : phase.equals(PodPhase.FAILED)
                ? "PodFailed"
                : unready.isEmpty() ? "" : "ContainersNotReady";
    var message =
        over || unready.isEmpty()
            ? ""
            : "containers with unready status: [%s]".formatted(String.join(" ", unready));
    var containersReady = !over && unready.isEmpty();
    var gates = unmetGates();
    if (containersReady && !gates.isEmpty()) {
      set(status, "Ready", false, "ReadinessGatesNotReady", gates);
    } else {
      set(status, "Ready", containersReady, reason, message);
    }
    set(status, "ContainersReady", containersReady, reason, message);
    set(status, "PodScheduled", true, "", "");
  }

  private void set(Tree status, String type, boolean value, String reason, String message) {
    var condition = Conditions.of(type, value ? "True" : "False", reason, message);
    condition.put("lastProbeTime", null).put("observedGeneration", Meta.generation(pod));
    Conditions.set(status, condition, Meta.time(now));
  }

  private String incomplete() {
    var names = new ArrayList<String>();
    for (int i = 0; i < inits.size(); i++) {
      var run = inits.get(i);
      var done = isSidecar(i) ? run.isRunning() : run.isTerminated() && run.exitCode() == 0;
      if (!done) {
        names.add(run.name());
      }
    }
    return "containers with incomplete status: [%s]".formatted(String.join(" ", names));
  }

  private String unmetGates() {
    var unmet = new ArrayList<String>();
    for (var gate : spec.trees("readinessGates")) {
      var type = gate.textOrEmpty("conditionType");
      var condition = Conditions.find(pod, type);
      if (condition == null) {
        unmet.add(
            "corresponding condition of pod readiness gate \"%s\" does not exist.".formatted(type));
      } else if (!condition.textOrEmpty("status").equals("True")) {
        unmet.add(
            "the status of pod readiness gate \"%s\" is not \"True\", but %s"
                .formatted(type, condition.textOrEmpty("status")));
      }
    }
    return String.join(", ", unmet);
  }

  private Step step(Tree status) {
    return new Step(status, wake == null ? null : Duration.between(now, wake), started);
  }

  private void wakeAt(Instant at) {
    wake = wake == null || at.isBefore(wake) ? at : wake;
  }

  private enum Init {
    BUSY,
    DONE,
    FAILED
  }

  /// Where the pod runs. `delay` is what a slow node adds; `rebooted` says that power was lost
  /// since the pod was last looked at; `resizeRefused` that new requests do not fit yet.
  record Place(
      String hostIp, String podIp, Duration delay, boolean rebooted, boolean resizeRefused) {}

  /// The status to show, when to look again, and the containers that have just been started.
  record Step(Tree status, @Nullable Duration wake, List<String> started) {}
}
