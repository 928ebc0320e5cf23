package io.berth.answers.plan;

import io.berth.api.Node;
import io.berth.api.Taint;
import io.berth.api.Toleration;
import io.berth.api.ZoneHealth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Nodes that are no longer heard of: Kubernetes gives them up one after the other, and their pods
/// leave when they no longer tolerate it.
final class Outage {

  private static final String REGION = "topology.kubernetes.io/region";

  private final ImaginedCluster cluster;

  Outage(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  void strike(List<Node> lost) {
    for (var node : lost) {
      cluster.putNode(ChangedNodes.lost(cluster.nodeTree(node.name()), false));
    }
    var leaving = leaving(givenUp(lost));
    var settling = new Settling(cluster);
    var owners = new Owners(cluster);
    for (int i = 0; i < leaving.size(); i++) {
      owners.evictUnheard(leaving.get(i).pod());
      boolean last =
          i + 1 == leaving.size() || leaving.get(i + 1).second() > leaving.get(i).second();
      if (last) {
        settling.settle();
      }
    }
    settling.settle();
  }

  /// The nodes that are given up, and after how many seconds. While all zones are silent, none is:
  /// then the fault is more likely elsewhere.
  private Map<String, Long> givenUp(List<Node> lost) {
    var health = new ZoneHealth();
    for (var node : cluster.nodes()) {
      health.count(zone(node), ChangedNodes.isReady(node));
    }
    var times = new HashMap<String, Long>();
    var inZone = new HashMap<String, Integer>();
    for (var node : lost) {
      double perSecond = health.perSecond(zone(node));
      if (perSecond > 0) {
        int before = inZone.merge(zone(node), 1, Integer::sum) - 1;
        times.put(node.name(), (long) (before / perSecond));
        cluster.putNode(ChangedNodes.lost(cluster.nodeTree(node.name()), true));
      }
    }
    return times;
  }

  private static String zone(Node node) {
    return node.labels().getOrDefault(REGION, "")
        + ":"
        + node.labels().getOrDefault(NodeChoice.ZONE, "");
  }

  private List<Leaving> leaving(Map<String, Long> givenUp) {
    var leaving = new ArrayList<Leaving>();
    givenUp.forEach((node, time) -> {
      for (var pod : cluster.podsOn(node)) {
        long patience = patience(pod, cluster.findNode(node).orElseThrow());
        if (patience >= 0 && !pod.leftOver()) {
          leaving.add(new Leaving(pod, time + patience));
        }
      }
    });
    leaving.sort(Comparator.comparingLong(Leaving::second).thenComparing(each -> each.pod().key()));
    return leaving;
  }

  /// How many seconds the pod stays on a node with NoExecute taints; −1 for ever. As in Kubernetes,
  /// of the tolerations that match a taint only the first one counts.
  static long patience(Resident pod, Node node) {
    long shortest = Long.MAX_VALUE;
    for (var taint : node.taints()) {
      if (taint.effect().equals(Taint.NO_EXECUTE)) {
        shortest = Math.min(shortest, patience(pod, taint));
      }
    }
    return shortest == Long.MAX_VALUE ? -1 : shortest;
  }

  private static long patience(Resident pod, Taint taint) {
    for (var toleration : pod.like().tree().trees("spec", "tolerations")) {
      if (Toleration.of(toleration).tolerates(taint)) {
        return toleration.get("tolerationSeconds") instanceof Long seconds
            ? Math.max(0, seconds)
            : Long.MAX_VALUE;
      }
    }
    return 0;
  }

  private record Leaving(Resident pod, long second) {}
}
