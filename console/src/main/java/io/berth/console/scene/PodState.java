package io.berth.console.scene;

import io.berth.api.PodPhase;
import io.berth.api.Tree;

/// Where a pod stands, as the console tells it. The order is that of the numbers on the wire.
public enum PodState {
  /// Has no node yet.
  WAITING("waiting"),
  /// Has scheduling gates.
  GATED("gated"),
  /// Has a node, and is not running yet.
  STARTING("starting"),
  RUNNING("running"),
  SUCCEEDED("succeeded"),
  FAILED("failed"),
  STOPPING("stopping");

  private final String text;

  PodState(String text) {
    this.text = text;
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
