package io.berth.answers.plan;

import io.berth.api.Node;
import io.berth.api.PodResources;
import io.berth.api.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// What is measured of a cluster before and after: skew of owners, room on nodes, budgets.
record Gauge(Map<String, String> skew, Map<String, String> headroom, Map<String, Long> budgets) {

  static Gauge of(ImaginedCluster cluster) {
    return new Gauge(skew(cluster), headroom(cluster), cluster.budgets().allowed());
  }

  static List<Forecast.Change> changes(Map<String, ?> before, Map<String, ?> after) {
    var names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    var changes = new ArrayList<Forecast.Change>();
    for (var name : names) {
      changes.add(new Forecast.Change(name, text(before.get(name)), text(after.get(name))));
    }
    return changes;
  }

  private static String text(@org.jspecify.annotations.Nullable Object value) {
    return value == null ? "" : String.valueOf(value);
  }

  /// By owner, over zones: most minus least pods among zones with a node that is ready.
  private static Map<String, String> skew(ImaginedCluster cluster) {
    var zones = new TreeSet<String>();
    var zoneOf = new HashMap<String, String>();
    for (var node : cluster.nodes()) {
      var zone = node.labels().get(NodeChoice.ZONE);
      if (zone != null) {
        zoneOf.put(node.name(), zone);
        if (ChangedNodes.isReady(node)) {
          zones.add(zone);
        }
      }
    }
    var counts = new TreeMap<String, Map<String, Integer>>();
    for (var pod : cluster.pods()) {
      var zone = zoneOf.get(pod.node());
      if (zone != null && zones.contains(zone) && !pod.leftOver() && !pod.madeBy().isEmpty()) {
        counts.computeIfAbsent(title(pod), _ -> new HashMap<>()).merge(zone, 1, Integer::sum);
      }
    }
    var skew = new TreeMap<String, String>();
    counts.forEach((owner, byZone) -> {
      int most = zones.stream().mapToInt(zone -> byZone.getOrDefault(zone, 0)).max().orElse(0);
      int least = zones.stream().mapToInt(zone -> byZone.getOrDefault(zone, 0)).min().orElse(0);
      skew.put(owner, Integer.toString(most - least));
    });
    return skew;
  }

  static String title(Resident pod) {
    return pod.owner().kind() + " " + pod.owner().key();
  }

  private static Map<String, String> headroom(ImaginedCluster cluster) {
    var free = new TreeMap<String, Quantity>();
    for (var node : cluster.nodes()) {
      if (isOpen(node)) {
        node.allocatable().forEach((name, amount) -> free.merge(name, amount, Quantity::plus));
        for (var pod : cluster.podsOn(node.name())) {
          take(pod, node, free);
        }
      }
    }
    var text = new TreeMap<String, String>();
    free.forEach((name, amount) -> text.put(name, amount.toString()));
    return text;
  }

  private static void take(Resident pod, Node node, Map<String, Quantity> free) {
    PodResources.requests(pod.pod().spec())
        .forEach((name, amount) -> free.computeIfPresent(name, (_, left) -> left.minus(amount)));
    free.computeIfPresent(
        "pods",
        (_, left) -> node.allocatable().containsKey("pods") ? left.minus(Quantity.of(1)) : left);
  }

  private static boolean isOpen(Node node) {
    return !node.unschedulable() && ChangedNodes.isReady(node);
  }
}
