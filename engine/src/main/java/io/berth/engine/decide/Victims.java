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
      Comparator.comparing(Victims::harm)
          .thenComparing(Comparator.comparingLong(Victims::earliestStart).reversed());

  /// What an eviction costs, apart from how long the victims have run.
  record Harm(int violations, int highestPriority, long sumOfPriorities, int pods)
      implements Comparable<Harm> {

    @Override
    public int compareTo(Harm other) {
      int order = Integer.compare(violations, other.violations);
      order = order != 0 ? order : Integer.compare(highestPriority, other.highestPriority);
      order = order != 0 ? order : Long.compare(sumOfPriorities, other.sumOfPriorities);
      return order != 0 ? order : Integer.compare(pods, other.pods);
    }
  }

  Harm harm() {
    int highest = pods.isEmpty() ? 0 : pods.getFirst().priority();
    return new Harm(violations, highest, sumOfPriorities(), pods.size());
  }

  Candidate candidate() {
    return new Candidate(pods.stream().map(RunningPod::key).toList(), violations);
  }

  /// Those of them that the candidate still names.
  Victims only(Candidate candidate) {
    var left = pods.stream().filter(pod -> candidate.victims().contains(pod.key())).toList();
    return new Victims(left, candidate.numPdbViolations());
  }

  private long sumOfPriorities() {
    long sum = 0;
    for (int i = 0; i < pods.size(); i++) {
      sum += pods.get(i).priority() + (1L << 31);
    }
    return sum;
  }

  /// When the most important of them started; of those of one priority, it was first.
  long earliestStart() {
    return pods.get(0).startNanos();
  }
}
