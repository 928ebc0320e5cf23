package io.berth.engine;

import io.berth.engine.Preemption.Candidate;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Somebody outside who has a say in one decision: after the filter rules, beside the scores, and
/// before victims are chosen. See [Engine#examine(io.berth.api.Pod, Extension)].
public interface Extension {

  Extension NONE = new Extension() {};

  /// What an extension said about one pod, to be said again when the decision is made again.
  /// `candidates` is absent when it was not asked whom to evict.
  record Answers(
      Map<String, Rejection> objections,
      Map<String, Long> scores,
      @Nullable Map<String, Candidate> candidates)
      implements Extension {

    @Override
    public Map<String, Rejection> filter(List<String> nodes) {
      return objections;
    }

    @Override
    public Map<String, Long> score(List<String> nodes) {
      return scores;
    }

    @Override
    public Map<String, Candidate> preempt(Map<String, Candidate> all) {
      return candidates == null ? all : candidates;
    }
  }

  /// Objections to nodes that every rule lets through; nodes without one stay feasible.
  default Map<String, Rejection> filter(List<String> nodes) {
    return Map.of();
  }

  /// What to add to the totals; asked when two or more nodes are feasible.
  default Map<String, Long> score(List<String> nodes) {
    return Map.of();
  }

  /// The candidates worth evicting for, perhaps with fewer victims.
  default Map<String, Candidate> preempt(Map<String, Candidate> candidates) {
    return candidates;
  }
}
