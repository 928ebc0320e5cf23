package io.berth.scheduler;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.PodGroup;
import io.berth.api.SelectorOwner;
import io.berth.api.StorageClass;
import io.berth.api.Surrounding;
import io.berth.api.VolumeAttachment;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Which events an update amounts to. A node's heartbeat amounts to none.
final class Changes {

  private Changes() {}

  /// Something that pods are placed among came, changed or went.
  static List<ClusterEvent> of(@Nullable Surrounding before, @Nullable Surrounding after) {
    return switch (Objects.requireNonNull(after == null ? before : after)) {
      case Node _ -> ofNode((Node) before, (Node) after);
      case Namespace namespace ->
          before == null || after == null
              ? List.of()
              : List.of(ClusterEvent.added(Kind.NAMESPACE_UPDATE, namespace));
      case PodGroup _ -> ofGroup((PodGroup) before, (PodGroup) after);
      case PersistentVolumeClaim _ ->
          of(before, after, Kind.PERSISTENT_VOLUME_CLAIM_ADD, Kind.PERSISTENT_VOLUME_CLAIM_UPDATE);
      case PersistentVolume _ ->
          of(before, after, Kind.PERSISTENT_VOLUME_ADD, Kind.PERSISTENT_VOLUME_UPDATE);
      case StorageClass _ -> of(before, after, Kind.STORAGE_CLASS_ADD, Kind.STORAGE_CLASS_UPDATE);
      case CsiNode _ -> of(before, after, Kind.CSI_NODE_ADD, Kind.CSI_NODE_UPDATE);
      case CsiDriver _ -> of(before, after, Kind.CSI_DRIVER_ADD, Kind.CSI_DRIVER_UPDATE);
      case CsiStorageCapacity _ ->
          of(before, after, Kind.CSI_STORAGE_CAPACITY_ADD, Kind.CSI_STORAGE_CAPACITY_UPDATE);
      case VolumeAttachment attachment ->
          after == null
              ? List.of(ClusterEvent.gone(Kind.VOLUME_ATTACHMENT_DELETE, attachment))
              : List.of();
      // Nobody waits for these.
      case PodDisruptionBudget _, SelectorOwner _ -> List.of();
    };
  }

  /// Of what only coming and changing can help.
  private static List<ClusterEvent> of(
      @Nullable Surrounding before, @Nullable Surrounding after, Kind added, Kind changed) {
    if (after == null) {
      return List.of();
    }
    return List.of(
        before == null
            ? ClusterEvent.added(added, after)
            : ClusterEvent.changed(changed, before, after));
  }

  private static List<ClusterEvent> ofNode(@Nullable Node before, @Nullable Node after) {
    if (before == null) {
      return List.of(ClusterEvent.added(Kind.NODE_ADD, Objects.requireNonNull(after)));
    }
    return after == null
        ? List.of(ClusterEvent.gone(Kind.NODE_DELETE, before))
        : ofChangedNode(before, after);
  }

  // A group that needs more pods than before helps nobody.
  private static List<ClusterEvent> ofGroup(@Nullable PodGroup before, @Nullable PodGroup after) {
    boolean needsMore = before != null && after != null && after.minCount() >= before.minCount();
    return needsMore ? List.of() : of(before, after, Kind.POD_GROUP_ADD, Kind.POD_GROUP_UPDATE);
  }

  /// The waiting pod itself changed.
  static List<ClusterEvent> ofTarget(Pod before, Pod after) {
    var events = new ArrayList<ClusterEvent>();
    if (!before.labels().equals(after.labels())) {
      events.add(ClusterEvent.changed(Kind.TARGET_POD_UPDATE_LABEL, before, after));
    }
    if (before.spec().tolerations().size() != after.spec().tolerations().size()) {
      events.add(ClusterEvent.changed(Kind.TARGET_POD_UPDATE_TOLERATION, before, after));
    }
    if (ClusterEvent.asksLess(before, after)) {
      events.add(ClusterEvent.changed(Kind.TARGET_POD_SCALE_DOWN, before, after));
    }
    if (!before.spec().schedulingGates().isEmpty() && after.spec().schedulingGates().isEmpty()) {
      events.add(ClusterEvent.changed(Kind.TARGET_POD_GATES_ELIMINATED, before, after));
    }
    if (events.isEmpty()) {
      events.add(ClusterEvent.changed(Kind.TARGET_POD_UPDATE, before, after));
    }
    return events;
  }

  /// A running pod changed.
  static List<ClusterEvent> ofAssigned(Pod before, Pod after) {
    var events = new ArrayList<ClusterEvent>();
    if (!before.labels().equals(after.labels())) {
      events.add(ClusterEvent.changed(Kind.ASSIGNED_POD_UPDATE_LABEL, before, after));
    }
    if (ClusterEvent.asksLess(before, after)) {
      events.add(ClusterEvent.changed(Kind.ASSIGNED_POD_SCALE_DOWN, before, after));
    }
    return events;
  }

  private static List<ClusterEvent> ofChangedNode(Node before, Node after) {
    var events = new ArrayList<ClusterEvent>();
    if (!before.allocatable().equals(after.allocatable())) {
      events.add(ClusterEvent.changed(Kind.NODE_UPDATE_ALLOCATABLE, before, after));
    }
    if (!before.labels().equals(after.labels())) {
      events.add(ClusterEvent.changed(Kind.NODE_UPDATE_LABEL, before, after));
    }
    if (!before.taints().equals(after.taints())
        || (before.unschedulable() && !after.unschedulable())) {
      events.add(ClusterEvent.changed(Kind.NODE_UPDATE_TAINT, before, after));
    }
    if (!before.declaredFeatures().equals(after.declaredFeatures())) {
      events.add(ClusterEvent.changed(Kind.NODE_UPDATE_FEATURES, before, after));
    }
    return events;
  }
}
