package io.berth.engine;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Something that happened, as far as it may help a waiting pod.
///
/// The names are Kubernetes' resource and action. `before` and `after` are the object as it was and
/// as it is: one of them is absent when it came or went.
public record ClusterEvent(Kind kind, @Nullable Object before, @Nullable Object after) {

  public enum Kind {
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
    PERSISTENT_VOLUME_ADD("PersistentVolumeAdd"),
    PERSISTENT_VOLUME_UPDATE("PersistentVolumeUpdate"),
    PERSISTENT_VOLUME_CLAIM_ADD("PersistentVolumeClaimAdd"),
    PERSISTENT_VOLUME_CLAIM_UPDATE("PersistentVolumeClaimUpdate"),
    STORAGE_CLASS_ADD("StorageClassAdd"),
    STORAGE_CLASS_UPDATE("StorageClassUpdate"),
    CSI_NODE_ADD("CSINodeAdd"),
    CSI_NODE_UPDATE("CSINodeUpdate"),
    CSI_DRIVER_ADD("CSIDriverAdd"),
    CSI_DRIVER_UPDATE("CSIDriverUpdate"),
    CSI_STORAGE_CAPACITY_ADD("CSIStorageCapacityAdd"),
    CSI_STORAGE_CAPACITY_UPDATE("CSIStorageCapacityUpdate"),
    VOLUME_ATTACHMENT_DELETE("VolumeAttachmentDelete"),
    POD_GROUP_ADD("PodGroupAdd"),
    POD_GROUP_UPDATE("PodGroupUpdate"),
    NAMESPACE_UPDATE("NamespaceUpdate"),
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

  public static ClusterEvent added(Kind kind, Object after) {
    return new ClusterEvent(kind, null, after);
  }

  public static ClusterEvent changed(Kind kind, Object before, Object after) {
    return new ClusterEvent(kind, before, after);
  }

  public static ClusterEvent gone(Kind kind, Object before) {
    return new ClusterEvent(kind, before, null);
  }

  /// Whether a waiting pod may profit at all: a node that was merely promised to a pod counts only
  /// for pods that are no more important.
  public boolean concerns(Pod waiting) {
    return kind != Kind.ASSIGNED_POD_DELETE
        || !pod().nodeName().isEmpty()
        || waiting.priority() <= pod().priority();
  }

  /// The pod that came, changed or went.
  public Pod pod() {
    return (Pod) object();
  }

  public @Nullable Pod oldPod() {
    return (Pod) before;
  }

  /// The node as it is now, or as it was before it went.
  public Node node() {
    return (Node) object();
  }

  public @Nullable Node oldNode() {
    return (Node) before;
  }

  public @Nullable Node newNode() {
    return (Node) after;
  }

  /// The object as it is now, or as it was before it went.
  public Object object() {
    return Objects.requireNonNull(after == null ? before : after);
  }

  /// Whether the pod has, or was promised, a place.
  public static boolean isPlaced(Pod pod) {
    return !pod.nodeName().isEmpty() || !pod.status().nominatedNodeName().isEmpty();
  }

  /// Whether an update makes the pod ask for less of something.
  public static boolean asksLess(Pod before, Pod after) {
    if (before.spec().equals(after.spec())) {
      return false;
    }
    var now = PodResources.requests(after.spec());
    return PodResources.requests(before.spec()).entrySet().stream()
        .anyMatch(
            was -> now.getOrDefault(was.getKey(), Quantity.ZERO).compareTo(was.getValue()) < 0);
  }
}
