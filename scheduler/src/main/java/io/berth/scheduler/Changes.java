package io.berth.scheduler;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import java.util.ArrayList;
import java.util.List;

/// Which events an update amounts to. A node's heartbeat amounts to none.
final class Changes {

  private Changes() {}

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

  static List<ClusterEvent> ofNode(Node before, Node after) {
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
