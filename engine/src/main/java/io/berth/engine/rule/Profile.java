package io.berth.engine.rule;

import java.util.List;

/// The rules of one scheduler profile, in the order they run.
public record Profile(
    String schedulerName,
    List<FilterRule> filters,
    List<WeightedScore> scores,
    boolean preempts,
    boolean claimsComeFirst) {

  public Profile {
    filters = List.copyOf(filters);
    scores = List.copyOf(scores);
  }

  public record WeightedScore(ScoreRule rule, long weight) {}
}
