package io.berth.scheduler;

import io.berth.api.ClusterObject;
import io.berth.api.Pod;
import java.util.List;

/// All that decisions follow from at one moment, for those who begin to listen to a [Journal] later
/// than the scheduler did.
///
/// @param objects everything but pods first, then pods that run, then pods that wait
/// @param assumed pods whose bind is under way, and their nodes
/// @param nominated pods that wait for a node
public record Knowledge(List<ClusterObject> objects, List<Place> assumed, List<Place> nominated) {

  public Knowledge {
    objects = List.copyOf(objects);
    assumed = List.copyOf(assumed);
    nominated = List.copyOf(nominated);
  }

  /// A pod without a node, and the node meant for it.
  public record Place(Pod pod, String node) {}
}
