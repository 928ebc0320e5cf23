package io.berth.kinds.core;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a pod asks for: its containers added up, init containers taken as peaks.
public final class PodResources {

  private PodResources() {}

  /// The sum over containers and sidecars, or the highest peak of the init phase if that is more.
  public static Map<String, Quantity> containerRequests(Tree spec) {
    return aggregate(spec, "requests");
  }

  public static Map<String, Quantity> containerLimits(Tree spec) {
    return aggregate(spec, "limits");
  }

  private static Map<String, Quantity> aggregate(Tree spec, String list) {
    var total = new LinkedHashMap<String, Quantity>();
    for (var container : spec.trees("containers")) {
      add(total, ResourceLists.read(container.tree("resources", list)));
    }
    var sidecars = new LinkedHashMap<String, Quantity>();
    var peak = new LinkedHashMap<String, Quantity>();
    for (var container : spec.trees("initContainers")) {
      var own = ResourceLists.read(container.tree("resources", list));
      if (container.textOrEmpty("restartPolicy").equals("Always")) {
        add(total, own);
        add(sidecars, own);
        own = new LinkedHashMap<>(sidecars);
      } else {
        add(own, sidecars);
      }
      raise(peak, own);
    }
    raise(total, peak);
    return total;
  }

  private static void add(Map<String, Quantity> total, Map<String, Quantity> more) {
    more.forEach((name, amount) -> total.merge(name, amount, Quantity::plus));
  }

  private static void raise(Map<String, Quantity> total, Map<String, Quantity> peak) {
    peak.forEach((name, amount) -> total.merge(name, amount, (a, b) -> b.compareTo(a) > 0 ? b : a));
  }
}
