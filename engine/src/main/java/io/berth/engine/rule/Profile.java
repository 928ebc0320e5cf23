package io.berth.engine.rule;

import io.berth.api.Pod;
import io.berth.engine.VolumeReservation;
import io.berth.engine.model.ClusterModel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rules of one scheduler profile, in the order they run.
///
/// `preFilters` may object to a pod as such, or leave out nodes, before `filters` are asked about
/// the rest. A configuration can order and disable them apart from each other. `preScores` look at
/// the pod before it is scored, and do not score themselves. `reserving` take what a decided pod
/// needs. `beforePreemption` is the plugin that, after filtering, looks for its own state before
/// preemption gets a chance.
public record Profile(
    String schedulerName,
    List<FilterRule> preFilters,
    List<FilterRule> filters,
    List<ScoreRule> preScores,
    List<WeightedScore> scores,
    List<Reserving> reserving,
    boolean preempts,
    @Nullable String beforePreemption) {

  public Profile {
    preFilters = List.copyOf(preFilters);
    filters = List.copyOf(filters);
    preScores = List.copyOf(preScores);
    scores = List.copyOf(scores);
    reserving = List.copyOf(reserving);
  }

  /// Reserves what a decided pod gets on the node; what that is.
  public VolumeReservation reserve(Pod pod, String node, ClusterModel cluster) {
    var reserved = VolumeReservation.NONE;
    for (var rule : reserving) {
      reserved = reserved.and(rule.reserve(pod, node, cluster));
    }
    return reserved;
  }

  /// How long all of that may take to be there.
  public Duration patience() {
    var longest = Duration.ZERO;
    for (var rule : reserving) {
      longest = longest.compareTo(rule.patience()) < 0 ? rule.patience() : longest;
    }
    return longest;
  }

  /// Whether a rejection of the pod as such by this plugin keeps preemption from being tried.
  public boolean isPreemptionCutOff(String rejector) {
    return beforePreemption != null && !beforePreemption.equals(rejector);
  }

  /// The filter of this name, or `null`.
  public @Nullable FilterRule filter(String name) {
    for (var some : List.of(filters, preFilters)) {
      for (var rule : some) {
        if (rule.name().equals(name)) {
          return rule;
        }
      }
    }
    return null;
  }

  public record WeightedScore(ScoreRule rule, long weight) {}
}
