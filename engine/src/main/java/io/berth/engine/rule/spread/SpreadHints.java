package io.berth.engine.rule.spread;

import io.berth.api.LabelSelector;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.TopologySpreadConstraint;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which event can help a pod that a spread constraint of its own kept from a node.
final class SpreadHints {

  private SpreadHints() {}

  static boolean help(Pod pod, ClusterEvent event) {
    var hard =
        pod.spec().topologySpreadConstraints().stream()
            .filter(TopologySpreadConstraint::isHard)
            .toList();
    return switch (event.kind()) {
      case ASSIGNED_POD_ADD, ASSIGNED_POD_DELETE ->
          event.pod().namespace().equals(pod.namespace())
              && ClusterEvent.isPlaced(event.pod())
              && hard.stream().anyMatch(c -> selects(c.labelSelector(), event.pod()));
      case ASSIGNED_POD_UPDATE_LABEL ->
          event.pod().namespace().equals(pod.namespace())
              && event.oldPod() != null
              && hard.stream()
                  .anyMatch(c ->
                      selects(c.labelSelector(), event.oldPod())
                          != selects(c.labelSelector(), event.pod()));
      case TARGET_POD_UPDATE_TOLERATION ->
          hard.stream().anyMatch(TopologySpreadConstraint::honorNodeTaints);
      case TARGET_POD_UPDATE_LABEL ->
          event.oldPod() == null
              || hard.stream()
                  .anyMatch(c ->
                      selects(c.labelSelector(), event.oldPod())
                          != selects(c.labelSelector(), event.pod()));
      default -> topologyChanged(hard, event);
    };
  }

  private static boolean topologyChanged(List<TopologySpreadConstraint> hard, ClusterEvent event) {
    var after = event.newNode();
    var before = event.oldNode();
    boolean hadAll = before != null && hasAllKeys(hard, before);
    boolean hasAll = after != null && hasAllKeys(hard, after);
    if (before == null || after == null || hadAll != hasAll) {
      return hadAll || hasAll;
    }
    return hasAll
        && (event.kind() == Kind.NODE_UPDATE_TAINT
            || hard.stream()
                .anyMatch(c ->
                    !String.valueOf(before.labels().get(c.topologyKey()))
                        .equals(after.labels().get(c.topologyKey()))));
  }

  private static boolean hasAllKeys(List<TopologySpreadConstraint> hard, Node node) {
    return hard.stream().allMatch(c -> node.labels().containsKey(c.topologyKey()));
  }

  private static boolean selects(@Nullable LabelSelector selector, Pod pod) {
    return selector != null && selector.matches(pod.labels());
  }
}
