package io.berth.engine.decide;

import io.berth.api.Pod;
import io.berth.engine.Code;
import io.berth.engine.Preemption;
import io.berth.engine.Preemption.Candidate;
import io.berth.engine.Preemption.Outcome;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// DefaultPreemption: which pods would have to go for a pod to fit, and on which node that hurts
/// least.
///
/// Nothing is evicted here: each dry run takes pods off the columns of one node and puts them back.
final class Preemptor {

  private static final Rejection NO_VICTIMS =
      Rejection.unresolvable("", "No preemption victims found for incoming pod");
  private static final String NOT_HELPFUL = "Preemption is not helpful for scheduling";

  private final ClusterModel cluster;

  Preemptor(ClusterModel cluster) {
    this.cluster = cluster;
  }

  /// What preemption can do for a pod, given the nodes where eviction may help.
  Preemption preempt(Pod pod, Cycle cycle, int[] nodes, @Nullable Rejection onNominatedNode) {
    var refusal = refusal(pod, cycle, onNominatedNode);
    if (refusal != null) {
      return new Preemption(
          Outcome.UNSCHEDULABLE,
          "preemption: " + refusal,
          Map.of(),
          List.of(),
          Map.of(),
          null,
          true);
    }
    var victims = new TreeMap<String, Victims>();
    var rejected = new TreeMap<String, Rejection>();
    for (int node : nodes) {
      var name = cluster.nodes().name(node);
      var trial = new Trial(cycle, node);
      var rejection = trial.run();
      if (rejection == null) {
        victims.put(name, trial.result());
      } else {
        rejected.put(name, rejection);
      }
    }
    return victims.isEmpty() ? none(rejected) : best(victims, rejected);
  }

  private @Nullable String refusal(Pod pod, Cycle cycle, @Nullable Rejection onNominatedNode) {
    if (pod.spec().neverPreempts()) {
      return "not eligible due to preemptionPolicy=Never.";
    }
    int nominated = cluster.nodes().find(pod.status().nominatedNodeName());
    if (nominated < 0 || onNominatedNode == null || !Cycle.mayHelp(onNominatedNode)) {
      return null;
    }
    var pods = cluster.nodes().pods(nominated);
    for (int i = 0; i < pods.size(); i++) {
      var victim = pods.get(i).shape();
      if (victim.priority() < cycle.shape().priority()
          && victim.terminating()
          && victim.preemptedByScheduler()) {
        return "not eligible due to a terminating pod on the nominated node.";
      }
    }
    return null;
  }

  private Preemption none(Map<String, Rejection> rejected) {
    int nodes = cluster.nodes().count();
    var message = new Message(nodes);
    rejected.values().forEach(rejection -> message.add(rejection, 1));
    message.add(NOT_HELPFUL, nodes - rejected.size());
    return new Preemption(
        Outcome.UNSCHEDULABLE,
        "preemption: " + message,
        Map.of(),
        List.of(),
        rejected,
        null,
        false);
  }

  private static Preemption best(Map<String, Victims> victims, Map<String, Rejection> rejected) {
    var chosen = new ArrayList<String>();
    Victims least = null;
    var candidates = new TreeMap<String, Candidate>();
    for (var entry : victims.entrySet()) {
      var each = entry.getValue();
      candidates.put(
          entry.getKey(),
          new Candidate(each.pods.stream().map(RunningPod::key).toList(), each.violations));
      int order = least == null ? -1 : Victims.LEAST_HARM.compare(each, least);
      if (order < 0) {
        chosen.clear();
        least = each;
      }
      if (order <= 0) {
        chosen.add(entry.getKey());
      }
    }
    var node = chosen.get(0);
    var message =
        "preemption: found a potential placement for pod on node %s, preempting %d victims"
            .formatted(node, least == null ? 0 : least.pods.size());
    return new Preemption(Outcome.SUCCESS, message, candidates, chosen, rejected, node, false);
  }

  /// Who would be evicted from a node, most important first.
  private record Victims(List<RunningPod> pods, int violations) {

    /// Kubernetes' criteria in their order; what is left tied is equally good.
    static final Comparator<Victims> LEAST_HARM =
        Comparator.comparingInt(Victims::violations)
            .thenComparingInt(Victims::highestPriority)
            .thenComparingLong(Victims::sumOfPriorities)
            .thenComparingInt(victims -> victims.pods.size())
            .thenComparing(Comparator.comparingLong(Victims::earliestStart).reversed());

    int highestPriority() {
      return pods.get(0).priority();
    }

    long sumOfPriorities() {
      long sum = 0;
      for (var pod : pods) {
        sum += pod.priority() + (1L << 31);
      }
      return sum;
    }

    long earliestStart() {
      long earliest = Long.MAX_VALUE;
      for (var pod : pods) {
        if (pod.priority() == highestPriority()) {
          earliest = Math.min(earliest, pod.startNanos());
        }
      }
      return earliest;
    }
  }

  /// Higher priority first, then the longer running; names decide what Kubernetes leaves open.
  private static final Comparator<RunningPod> IMPORTANCE =
      Comparator.comparingInt(RunningPod::priority)
          .reversed()
          .thenComparingLong(RunningPod::startNanos)
          .thenComparing(RunningPod::key);

  /// One node without its less important pods, some of which then get back.
  private final class Trial {

    private final Cycle cycle;
    private final int node;
    private final List<RunningPod> victims = new ArrayList<>();
    private int violations;

    Trial(Cycle cycle, int node) {
      this.cycle = cycle;
      this.node = node;
    }

    /// Why evictions do not help, or `null` when they do; leaves the node as it was.
    @Nullable Rejection run() {
      var potential = potentialVictims();
      if (potential.isEmpty()) {
        return NO_VICTIMS;
      }
      potential.forEach(cycle::go);
      var rejection = cycle.objection(node);
      if (rejection == null) {
        reprieve(potential);
        victims.forEach(cycle::come);
        if (victims.isEmpty()) {
          rejection = noneNeeded();
        }
      } else {
        potential.forEach(cycle::come);
      }
      cycle.endTrial();
      return rejection;
    }

    private Rejection noneNeeded() {
      return new Rejection(
          "",
          Code.UNSCHEDULABLE,
          List.of(
              "expected at least one victim pod on node \"%s\""
                  .formatted(cluster.nodes().name(node))));
    }

    Victims result() {
      victims.sort(IMPORTANCE);
      return new Victims(List.copyOf(victims), violations);
    }

    private List<RunningPod> potentialVictims() {
      var pods = cluster.nodes().pods(node);
      var potential = new ArrayList<RunningPod>();
      for (int i = 0; i < pods.size(); i++) {
        if (pods.get(i).priority() < cycle.shape().priority()) {
          potential.add(pods.get(i));
        }
      }
      potential.sort(IMPORTANCE);
      return potential;
    }

    // Pods whose eviction would break a budget get the first chance to stay.
    private void reprieve(List<RunningPod> potential) {
      var violating = new Budgets(cluster.budgets()).violating(potential);
      for (var pod : violating) {
        if (!stays(pod)) {
          violations++;
        }
      }
      for (var pod : potential) {
        if (!violating.contains(pod)) {
          stays(pod);
        }
      }
    }

    private boolean stays(RunningPod pod) {
      cycle.come(pod);
      if (cycle.objection(node) == null) {
        return true;
      }
      cycle.go(pod);
      victims.add(pod);
      return false;
    }
  }
}
