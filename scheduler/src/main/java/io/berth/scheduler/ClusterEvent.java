package io.berth.scheduler;

import io.berth.api.Node;
import io.berth.api.Pod;
import org.jspecify.annotations.Nullable;

/// Something that happened, as far as it may help a waiting pod.
///
/// The names are Kubernetes' resource and action. Pods and nodes come with their state before and
/// after; `subject` names an object of another kind.
record ClusterEvent(
    Kind kind,
    @Nullable Pod oldPod,
    @Nullable Pod newPod,
    @Nullable Node oldNode,
    @Nullable Node newNode,
    String subject) {

  enum Kind {
    ASSIGNED_POD_ADD("AssignedPodAdd"),
    ASSIGNED_POD_UPDATE_LABEL("AssignedPodUpdateLabel"),
    ASSIGNED_POD_SCALE_DOWN("AssignedPodScaleDown"),
    ASSIGNED_POD_DELETE("AssignedPodDelete"),
    UNSCHEDULED_POD_ADD("UnscheduledPodAdd"),
    TARGET_POD_UPDATE("TargetPodUpdate"),
    TARGET_POD_UPDATE_LABEL("TargetPodUpdateLabel"),
    TARGET_POD_SCALE_DOWN("TargetPodScaleDown"),
    TARGET_POD_UPDATE_TOLERATION("TargetPodUpdateToleration"),
    TARGET_POD_GATES_ELIMINATED("TargetPodUpdateSchedulingGatesEliminated"),
    NODE_ADD("NodeAdd"),
    NODE_DELETE("NodeDelete"),
    NODE_UPDATE_ALLOCATABLE("NodeUpdateAllocatable"),
    NODE_UPDATE_LABEL("NodeUpdateLabel"),
    NODE_UPDATE_TAINT("NodeUpdateTaint"),
    NODE_UPDATE_FEATURES("NodeUpdateDeclaredFeature"),
    PERSISTENT_VOLUME("PersistentVolumeChange"),
    PERSISTENT_VOLUME_CLAIM("PersistentVolumeClaimChange"),
    STORAGE_CLASS("StorageClassChange"),
    CSI_NODE("CSINodeChange"),
    POD_GROUP("PodGroupChange"),
    /// The scheduler itself wants the pod back: its preemption ended.
    FORCE_ACTIVATE("ForceActivate"),
    /// May help anybody: the periodic sweep.
    WILDCARD("UnschedulableTimeout");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /// As kube-scheduler's metrics name it.
    @Override
    public String toString() {
      return text;
    }
  }

  static ClusterEvent pod(Kind kind, @Nullable Pod before, @Nullable Pod after) {
    return new ClusterEvent(kind, before, after, null, null, "");
  }

  static ClusterEvent node(Kind kind, @Nullable Node before, @Nullable Node after) {
    return new ClusterEvent(kind, null, null, before, after, "");
  }

  static ClusterEvent other(Kind kind, String subject) {
    return new ClusterEvent(kind, null, null, null, null, subject);
  }

  /// Whether a waiting pod may profit at all: a node that was merely promised to a pod counts only
  /// for pods that are no more important.
  boolean concerns(Pod waiting) {
    return kind != Kind.ASSIGNED_POD_DELETE
        || !pod().nodeName().isEmpty()
        || waiting.priority() <= pod().priority();
  }

  /// The pod that came, changed or went.
  Pod pod() {
    var pod = newPod == null ? oldPod : newPod;
    if (pod == null) {
      throw new IllegalStateException(kind + " carries no pod");
    }
    return pod;
  }

  /// The node as it is now, or as it was before it went.
  Node node() {
    var node = newNode == null ? oldNode : newNode;
    if (node == null) {
      throw new IllegalStateException(kind + " carries no node");
    }
    return node;
  }
}
