package io.berth.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A pod's quality of service class, which follows from what it requests and may use.
///
/// Mirrors: core/helper/qos.ComputePodQOS
public enum QosClass {
  GUARANTEED("Guaranteed"),
  BURSTABLE("Burstable"),
  BEST_EFFORT("BestEffort");

  private static final List<String> COUNTED = List.of("cpu", "memory");

  private final String word;

  QosClass(String word) {
    this.word = word;
  }

  /// As it stands in `status.qosClass`.
  public String word() {
    return word;
  }

  /// What the pod says as a whole counts alone; else all its containers do.
  public static QosClass of(Tree spec) {
    if (PodResources.isPodLevelSet(spec)) {
      return of(List.of(spec.treeOrEmpty("resources")));
    }
    var requirements = new ArrayList<Tree>();
    for (var list : List.of("containers", "initContainers")) {
      spec.trees(list).forEach(container -> requirements.add(container.treeOrEmpty("resources")));
    }
    return of(requirements);
  }

  private static QosClass of(List<Tree> requirements) {
    var requests = new HashMap<String, Quantity>();
    var limits = new HashMap<String, Quantity>();
    boolean allLimited = true;
    for (var resources : requirements) {
      addTo(requests, resources.treeOrEmpty("requests"));
      allLimited &= addTo(limits, resources.treeOrEmpty("limits")) == COUNTED.size();
    }
    if (requests.isEmpty() && limits.isEmpty()) {
      return BEST_EFFORT;
    }
    return allLimited && areEqual(requests, limits) ? GUARANTEED : BURSTABLE;
  }

  /// Adds what counts, and returns how many resources of `list` do.
  private static int addTo(Map<String, Quantity> sums, Tree list) {
    int found = 0;
    for (var name : COUNTED) {
      var amount = ResourceList.quantity(list.get(name));
      if (!amount.isZero()) {
        sums.merge(name, amount, Quantity::plus);
        found++;
      }
    }
    return found;
  }

  private static boolean areEqual(Map<String, Quantity> requests, Map<String, Quantity> limits) {
    return requests.keySet().equals(limits.keySet())
        && requests.entrySet().stream()
            .allMatch(request ->
                request.getValue().compareTo(limits.getOrDefault(request.getKey(), Quantity.ZERO))
                    == 0);
  }
}
