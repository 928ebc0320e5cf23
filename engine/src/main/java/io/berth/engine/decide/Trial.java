package io.berth.engine.decide;

import io.berth.engine.Code;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One node without its less important pods, some of which then get back.
final class Trial {

  static final Rejection NO_VICTIMS =
      Rejection.unresolvable("", "No preemption victims found for incoming pod");

  private final Cycle cycle;
  private final ClusterModel cluster;
  private final int node;
  private final Set<RunningPod> gone = new LinkedHashSet<>();
  private int violations;

  /// What a trial comes to: an objection that remains, or victims.
  record Outcome(@Nullable Rejection rejection, Victims victims) {}

  Trial(Cycle cycle, ClusterModel cluster, int node) {
    this.cycle = cycle;
    this.cluster = cluster;
    this.node = node;
  }

  Outcome outcome() {
    var rejection = run();
    return new Outcome(rejection, rejection == null ? victims() : Victims.NONE);
  }

  /// Why evictions do not help, or `null` when they do; leaves the node as it was.
  @Nullable Rejection run() {
    var potential = potentialVictims();
    if (potential.isEmpty()) {
      return NO_VICTIMS;
    }
    try {
      potential.forEach(this::go);
      var rejection = cycle.objectionOnTrial(node);
      if (rejection == null) {
        reprieve(potential);
        rejection = gone.isEmpty() ? noneNeeded() : null;
      }
      return rejection;
    } finally {
      // Whatever a rule does, the node gets its pods back.
      gone.forEach(cycle::come);
      cycle.endTrial();
    }
  }

  private void go(RunningPod pod) {
    cycle.go(pod);
    gone.add(pod);
  }

  private Rejection noneNeeded() {
    return new Rejection(
        "",
        Code.ERROR,
        List.of(
            "expected at least one victim pod on node \"%s\""
                .formatted(cluster.nodes().name(node))));
  }

  Victims victims() {
    // Those whose eviction breaks a budget were asked first.
    var victims = new ArrayList<>(gone);
    victims.sort(
        Comparator.comparingInt(RunningPod::priority)
            .reversed()
            .thenComparingLong(RunningPod::startNanos)
            .thenComparing(RunningPod::namespace)
            .thenComparing(RunningPod::name));
    return new Victims(victims, violations);
  }

  private List<RunningPod> potentialVictims() {
    var pods = cluster.nodes().pods(node);
    var potential = new ArrayList<RunningPod>();
    for (int i = pods.firstBelow(cycle.shape().priority()); i < pods.size(); i++) {
      potential.add(pods.get(i));
    }
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
    gone.remove(pod);
    cycle.come(pod);
    if (cycle.objectionOnTrial(node) == null) {
      return true;
    }
    go(pod);
    return false;
  }
}
