package io.berth.admission.quota;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.Map;
import java.util.TreeMap;

/// What a whole pod asks for, from its containers, its own resources and its overhead.
public final class PodResources {

  private PodResources() {}

  public static Map<String, Quantity> requests(Tree pod) {
    var requests = total(pod, "requests");
    Amounts.add(requests, Amounts.of(pod.treeOrEmpty("spec", "overhead")));
    return requests;
  }

  /// As in Kubernetes, overhead counts only where the pod is limited at all.
  public static Map<String, Quantity> limits(Tree pod) {
    var limits = total(pod, "limits");
    var overhead = Amounts.of(pod.treeOrEmpty("spec", "overhead"));
    overhead.keySet().removeIf(name -> !limits.containsKey(name) || limits.get(name).isZero());
    Amounts.add(limits, overhead);
    return limits;
  }

  private static Map<String, Quantity> total(Tree pod, String side) {
    var total = new TreeMap<String, Quantity>();
    for (var container : pod.trees("spec", "containers")) {
      Amounts.add(total, of(container, side));
    }
    addInitContainers(pod, side, total);
    of(pod.treeOrEmpty("spec"), side)
        .forEach((name, quantity) -> {
          if (isPodLevel(name)) {
            total.put(name, quantity);
          }
        });
    return total;
  }

  /// Sidecars run beside everything after them; other init containers one at a time.
  private static void addInitContainers(Tree pod, String side, Map<String, Quantity> total) {
    var sidecars = new TreeMap<String, Quantity>();
    var highest = new TreeMap<String, Quantity>();
    for (var container : pod.trees("spec", "initContainers")) {
      var own = of(container, side);
      if (container.textOrEmpty("restartPolicy").equals("Always")) {
        Amounts.add(total, own);
        Amounts.add(sidecars, own);
        Amounts.raise(highest, sidecars);
      } else {
        Amounts.add(own, sidecars);
        Amounts.raise(highest, own);
      }
    }
    Amounts.raise(total, highest);
  }

  private static Map<String, Quantity> of(Tree owner, String side) {
    return Amounts.of(owner.treeOrEmpty("resources", side));
  }

  private static boolean isPodLevel(String name) {
    return name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-");
  }
}
