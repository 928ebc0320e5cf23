package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Preemption.Candidate;
import java.util.List;
import java.util.Map;

/// A program beside the scheduler that has a say in placing pods (Kubernetes' scheduler extender).
///
/// The loop waits for [#filter], [#prioritize] and [#preempt]; binding happens on a thread of its
/// own. Whatever fails is an [ExtenderException], also a time limit.
public interface Extender {

  /// What messages call it: Kubernetes uses its URL.
  String name();

  /// Whether pods are scheduled without it when it fails.
  boolean ignorable();

  /// Whether it wants to be asked about the pod: it manages one of the resources asked for, or all.
  boolean isInterestedIn(Pod pod);

  /// Whether it was configured with the verb; other verbs are never called.
  boolean has(Verb verb);

  /// What its scores, 0 to 10, are multiplied with, beside the 10 that Kubernetes adds.
  long weight();

  /// Which of the nodes may take the pod.
  Filtered filter(Pod pod, List<String> nodes);

  /// Scores from 0 to 10 by node; a node without one has 0.
  Map<String, Long> prioritize(Pod pod, List<String> nodes);

  /// Binds instead of the scheduler.
  void bind(Pod pod, String node);

  /// The candidates on which evictions are still worth it, perhaps with other victims.
  Map<String, Candidate> preempt(Pod pod, Map<String, Candidate> candidates);

  enum Verb {
    FILTER,
    PRIORITIZE,
    BIND,
    PREEMPT
  }

  /// What is left of the nodes, and why others are not: `failed` may be helped by evictions,
  /// `unresolvable` may not.
  record Filtered(
      List<String> nodes, Map<String, String> failed, Map<String, String> unresolvable) {

    public Filtered {
      nodes = List.copyOf(nodes);
      failed = Map.copyOf(failed);
      unresolvable = Map.copyOf(unresolvable);
    }
  }
}
