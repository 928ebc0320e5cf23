package io.berth.engine.rule;

import java.util.List;

/// The rules of one scheduler profile, in the order they run.
///
/// `preFilters` may object to a pod as such, or leave out nodes, before `filters` are asked about
/// the rest. A configuration can order and disable them apart from each other. `preScores` look at
/// the pod before it is scored, and do not score themselves.
public record Profile(
    String schedulerName,
    List<FilterRule> preFilters,
    List<FilterRule> filters,
    List<ScoreRule> preScores,
    List<WeightedScore> scores,
    boolean preempts,
    boolean claimsComeFirst) {

  public Profile {
    preFilters = List.copyOf(preFilters);
    filters = List.copyOf(filters);
    preScores = List.copyOf(preScores);
    scores = List.copyOf(scores);
  }

  public record WeightedScore(ScoreRule rule, long weight) {}
}
