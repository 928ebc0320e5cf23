package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.api.PodGroup;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.Engine;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// Which event can help a pod that a plugin rejected: what the engine's rules say, and what the
/// plugins need that are no rules. A plugin that nobody knows is woken by everything.
final class Hints {

  private static final String GANG = "GangScheduling";

  /// Plugins without a rule. Preemption never rejects for good.
  private static final Map<String, Set<Kind>> WITHOUT_RULE =
      Map.of(
          GANG,
          EnumSet.of(
              Kind.UNSCHEDULED_POD_ADD,
              Kind.ASSIGNED_POD_ADD,
              Kind.POD_GROUP_ADD,
              Kind.POD_GROUP_UPDATE),
          "DefaultPreemption",
          EnumSet.noneOf(Kind.class));

  private final Engine engine;

  Hints(Engine engine) {
    this.engine = engine;
  }

  /// Whether events of this kind may end rejections by this plugin at all.
  boolean watches(String plugin, Kind kind) {
    var kinds = WITHOUT_RULE.get(plugin);
    return kind == Kind.WILDCARD
        || (kinds == null ? engine.waking().watches(plugin, kind) : kinds.contains(kind));
  }

  /// Whether this event may turn this plugin's rejection of this pod around.
  boolean helps(String plugin, Pod pod, ClusterEvent event) {
    return plugin.equals(GANG) ? joins(pod, event) : engine.waking().helps(plugin, pod, event);
  }

  private static boolean joins(Pod pod, ClusterEvent event) {
    if (pod.group() == null) {
      return false;
    }
    var group = PodGroups.keyOf(pod);
    return event.object() instanceof PodGroup changed
        ? changed.key().equals(group)
        : event.pod().group() != null && PodGroups.keyOf(event.pod()).equals(group);
  }
}
