package io.berth.engine.rule;

import io.berth.api.Pod;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;

/// Which event can help a pod that a rule refused, as the rules themselves say.
///
/// What is no rule of any profile is woken by everything.
public final class Waking {

  private final Profiles profiles;
  private final ClusterModel cluster;

  public Waking(Profiles profiles, ClusterModel cluster) {
    this.profiles = profiles;
    this.cluster = cluster;
  }

  /// Whether events of this kind may end refusals by the rule of this name at all.
  public boolean watches(String rule, Kind kind) {
    var found = profiles.filters(rule);
    return found.isEmpty() || found.stream().anyMatch(each -> each.wakes().contains(kind));
  }

  /// Whether this event may turn the refusal of this pod by the rule of this name around.
  public boolean helps(String rule, Pod pod, ClusterEvent event) {
    var found = profiles.of(pod.spec().schedulerName()).filter(rule);
    return found == null || found.helps(pod, event, cluster);
  }
}
