package io.berth.console.scene;

import io.berth.api.PodPhase;
import io.berth.api.Tree;

/// Where a pod stands, as the console tells it. They are listed in the order of their numbers.
public enum PodState {
  /// Has no node yet.
  WAITING(0, "waiting"),
  /// Has scheduling gates.
  GATED(1, "gated"),
  /// Has a node, and is not running yet.
  STARTING(2, "starting"),
  RUNNING(3, "running"),
  SUCCEEDED(4, "succeeded"),
  FAILED(5, "failed"),
  STOPPING(6, "stopping");

  private final int number;
  private final String text;

  PodState(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /// What stands for it in columns: its place among all.
  public int number() {
    return number;
  }

  static PodState of(Tree pod) {
    var phase = PodPhase.of(pod);
    if (phase.equals(PodPhase.SUCCEEDED)) {
      return SUCCEEDED;
    }
    if (phase.equals(PodPhase.FAILED)) {
      return FAILED;
    }
    if (pod.text("metadata", "deletionTimestamp") != null) {
      return STOPPING;
    }
    if (pod.textOrEmpty("spec", "nodeName").isEmpty()) {
      return pod.list("spec", "schedulingGates").isEmpty() ? WAITING : GATED;
    }
    return phase.equals(PodPhase.RUNNING) ? RUNNING : STARTING;
  }

  /// Whether the pod takes room on its node.
  boolean takesRoom() {
    return this != SUCCEEDED && this != FAILED;
  }

  @Override
  public String toString() {
    return text;
  }
}
