package io.berth.engine.decide;

import io.berth.engine.Preemption.Candidate;
import io.berth.engine.model.RunningPod;
import java.util.Comparator;
import java.util.List;

/// Who would be evicted from a node, most important first, and how many against a budget.
record Victims(List<RunningPod> pods, int violations) {

  static final Victims NONE = new Victims(List.of(), 0);

  /// Kubernetes' criteria in their order; what is left tied is equally good.
  static final Comparator<Victims> LEAST_HARM =
      Comparator.comparingInt(Victims::violations)
          .thenComparingInt(Victims::highestPriority)
          .thenComparingLong(Victims::sumOfPriorities)
          .thenComparingInt(victims -> victims.pods.size())
          .thenComparing(Comparator.comparingLong(Victims::earliestStart).reversed());

  Candidate candidate() {
    return new Candidate(pods.stream().map(RunningPod::key).toList(), violations);
  }

  /// Those of them that the candidate still names.
  Victims only(Candidate candidate) {
    var left = pods.stream().filter(pod -> candidate.victims().contains(pod.key())).toList();
    return new Victims(left, candidate.numPdbViolations());
  }

  private int highestPriority() {
    return pods.get(0).priority();
  }

  private long sumOfPriorities() {
    long sum = 0;
    for (int i = 0; i < pods.size(); i++) {
      sum += pods.get(i).priority() + (1L << 31);
    }
    return sum;
  }

  private long earliestStart() {
    // Among those of the highest priority, the first has started first.
    return pods.get(0).startNanos();
  }
}
