package io.berth.controllers.kubelet;

import io.berth.api.PodResources;
import io.berth.api.Quantity;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import java.util.HashMap;
import java.util.Map;

/// Amounts in the units a kubelet counts in: cpu in thousandths, everything else in whole units.
final class WholeAmounts {

  private WholeAmounts() {}

  /// What a pod asks of its node.
  static Map<String, Long> requested(Tree podSpec) {
    return of(PodResources.requests(podSpec));
  }

  static Map<String, Long> allocatable(Tree node) {
    return of(ResourceList.read(node.tree("status", "allocatable")));
  }

  private static Map<String, Long> of(Map<String, Quantity> quantities) {
    var amounts = new HashMap<String, Long>();
    quantities.forEach((name, quantity) ->
        amounts.put(name, name.equals("cpu") ? quantity.milliValue() : quantity.value()));
    return amounts;
  }
}
