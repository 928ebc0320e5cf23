package io.berth.controllers.kubelet;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a pod asks of a node: cpu in thousandths, everything else in whole units.
///
/// As the scheduler counts it: containers and sidecars together, or the largest init container with
/// the sidecars before it; pod-level requests replace that; overhead comes on top.
final class Requests {

  private Requests() {}

  static Map<String, Long> of(Tree podSpec) {
    var running = new HashMap<String, Long>();
    for (var container : podSpec.trees("containers")) {
      add(running, amounts(container.treeOrEmpty("resources", "requests")));
    }
    var sidecars = new HashMap<String, Long>();
    var starting = new HashMap<String, Long>();
    for (var container : podSpec.trees("initContainers")) {
      var requests = amounts(container.treeOrEmpty("resources", "requests"));
      if (container.textOrEmpty("restartPolicy").equals("Always")) {
        add(running, requests);
        add(sidecars, requests);
        max(starting, sidecars);
      } else {
        add(requests, sidecars);
        max(starting, requests);
      }
    }
    max(running, starting);
    amounts(podSpec.treeOrEmpty("resources", "requests"))
        .forEach((name, amount) -> {
          if (name.equals("cpu") || name.equals("memory") || name.startsWith("hugepages-")) {
            running.put(name, amount);
          }
        });
    add(running, amounts(podSpec.treeOrEmpty("overhead")));
    return running;
  }

  static Map<String, Long> amounts(Tree quantities) {
    var amounts = new HashMap<String, Long>();
    quantities.fields().forEach((name, value) -> amounts.put(name, amount(name, value)));
    return amounts;
  }

  private static long amount(String name, @Nullable Object value) {
    var quantity = Quantity.parse(String.valueOf(value));
    return name.equals("cpu") ? quantity.milliValue() : quantity.value();
  }

  private static void add(Map<String, Long> sum, Map<String, Long> more) {
    more.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
  }

  private static void max(Map<String, Long> largest, Map<String, Long> other) {
    other.forEach((name, amount) -> largest.merge(name, amount, Math::max));
  }
}
