package io.berth.quota.decide;

import io.berth.api.PodDisruptionBudget;
import java.util.Arrays;
import java.util.List;

/// What disruption budgets still allow at this moment of the pass.
///
/// A pod that runs and is taken from its place is one disruption, until it is put back there.
final class Budgets {

  private static final int[] NONE = {};

  private final List<PodDisruptionBudget> budgets;
  private final int[] allowed;

  Budgets(List<PodDisruptionBudget> budgets) {
    this.budgets = budgets;
    this.allowed = budgets.stream().mapToInt(PodDisruptionBudget::disruptionsAllowed).toArray();
  }

  /// The indexes of the budgets that cover a pod.
  int[] covering(Slot slot) {
    if (budgets.isEmpty() || slot.startNode == null) {
      return NONE;
    }
    var found = new int[budgets.size()];
    int count = 0;
    for (int i = 0; i < found.length; i++) {
      if (covers(budgets.get(i), slot)) {
        found[count++] = i;
      }
    }
    return Arrays.copyOf(found, count);
  }

  // As in Kubernetes, an empty selector covers no pod here.
  private static boolean covers(PodDisruptionBudget budget, Slot slot) {
    var selector = budget.selector();
    return budget.namespace().equals(slot.pod.namespace())
        && selector != null
        && !selector.isEmpty()
        && selector.matches(slot.pod.labels())
        && !budget.disruptedPods().contains(slot.pod.name());
  }

  void disrupt(Slot slot, int sign) {
    for (int budget : slot.budgets) {
      allowed[budget] -= sign;
    }
  }

  /// Whether all pods of a unit may be disrupted now.
  boolean allow(Unit unit) {
    if (budgets.isEmpty()) {
      return true;
    }
    boolean allowed = true;
    for (var slot : unit.slots) {
      disrupt(slot, 1);
      for (int budget : slot.budgets) {
        allowed &= this.allowed[budget] >= 0;
      }
    }
    unit.slots.forEach(slot -> disrupt(slot, -1));
    return allowed;
  }
}
