package io.berth.engine.rule.resources;

import io.berth.api.Pod;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.engine.ClusterEvent;
import java.util.Map;

/// Which event can make room for a pod that did not fit.
final class ResourceHints {

  private ResourceHints() {}

  static boolean help(Pod pod, ClusterEvent event) {
    return switch (event.kind()) {
      case ASSIGNED_POD_DELETE -> ClusterEvent.isPlaced(event.pod());
      case ASSIGNED_POD_SCALE_DOWN ->
          event.oldPod() != null && shrankFor(pod, event.oldPod(), event.pod());
      case NODE_ADD -> fitEmpty(pod, event.node().allocatable());
      case NODE_UPDATE_ALLOCATABLE ->
          event.oldNode() != null
              && fitEmpty(pod, event.node().allocatable())
              && grewFor(pod, event.oldNode().allocatable(), event.node().allocatable());
      default -> true;
    };
  }

  /// Whether `after` asks less than `before` of something that `waiting` asks for.
  private static boolean shrankFor(Pod waiting, Pod before, Pod after) {
    var now = PodResources.requests(after.spec());
    var was = PodResources.requests(before.spec());
    return wanted(waiting).keySet().stream().anyMatch(name -> grew(name, now, was));
  }

  /// Whether the pod would fit on the node if nothing else ran there.
  private static boolean fitEmpty(Pod pod, Map<String, Quantity> allocatable) {
    return wanted(pod).entrySet().stream()
        .allMatch(asked ->
            allocatable.getOrDefault(asked.getKey(), Quantity.ZERO).compareTo(asked.getValue())
                >= 0);
  }

  /// Whether something that the pod asks for, or room for pods, grew.
  private static boolean grewFor(
      Pod pod, Map<String, Quantity> before, Map<String, Quantity> after) {
    return grew("pods", before, after)
        || wanted(pod).keySet().stream().anyMatch(name -> grew(name, before, after));
  }

  private static boolean grew(
      String resource, Map<String, Quantity> before, Map<String, Quantity> after) {
    return after
            .getOrDefault(resource, Quantity.ZERO)
            .compareTo(before.getOrDefault(resource, Quantity.ZERO))
        > 0;
  }

  private static Map<String, Quantity> wanted(Pod pod) {
    var wanted = PodResources.requests(pod.spec());
    wanted.values().removeIf(amount -> amount.compareTo(Quantity.ZERO) == 0);
    return wanted;
  }
}
