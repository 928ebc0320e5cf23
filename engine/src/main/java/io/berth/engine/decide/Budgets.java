package io.berth.engine.decide;

import io.berth.api.PodDisruptionBudget;
import io.berth.engine.model.RunningPod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What disruption budgets still allow while victims are picked one by one.
final class Budgets {

  private final List<PodDisruptionBudget> budgets;
  private final int[] allowed;

  Budgets(Collection<PodDisruptionBudget> budgets) {
    this.budgets = new ArrayList<>(budgets);
    this.allowed =
        this.budgets.stream().mapToInt(PodDisruptionBudget::disruptionsAllowed).toArray();
  }

  /// The pods whose eviction, in this order, would exceed a budget.
  Set<RunningPod> violating(List<RunningPod> pods) {
    var violating = new LinkedHashSet<RunningPod>();
    if (budgets.isEmpty()) {
      return violating;
    }
    for (var pod : pods) {
      if (violates(pod)) {
        violating.add(pod);
      }
    }
    return violating;
  }

  private boolean violates(RunningPod pod) {
    if (pod.shape().labels().isEmpty()) {
      return false;
    }
    for (int i = 0; i < allowed.length; i++) {
      if (covers(budgets.get(i), pod) && --allowed[i] < 0) {
        return true;
      }
    }
    return false;
  }

  // As in Kubernetes, an empty selector covers no pod here.
  private static boolean covers(PodDisruptionBudget budget, RunningPod pod) {
    var selector = budget.selector();
    return budget.namespace().equals(pod.namespace())
        && selector != null
        && !selector.isEmpty()
        && selector.matches(pod.shape().labels())
        && !budget.disruptedPods().contains(pod.name());
  }
}
