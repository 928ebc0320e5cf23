package io.berth.answers.plan;

import io.berth.api.Node;
import java.util.ArrayList;
import java.util.List;

/// Empties nodes as `kubectl drain` does: closes them, evicts within budgets, leaves daemons and
/// static pods where they are.
///
/// A pod that a budget keeps is tried again after others have found a new place; at the end it
/// stays.
final class Drainage {

  private final ImaginedCluster cluster;
  private final BudgetBook budgets;

  Drainage(ImaginedCluster cluster) {
    this.cluster = cluster;
    this.budgets = cluster.budgets();
  }

  /// The pods that stay, each with the budget that keeps it: `shop/web-1 (shop/web)`.
  List<String> drain(List<Node> nodes) {
    for (var node : nodes) {
      cluster.putNode(ChangedNodes.cordoned(cluster.nodeTree(node.name()), true));
    }
    var leaving = new ArrayList<Resident>();
    for (var node : nodes) {
      for (var pod : cluster.podsOn(node.name())) {
        if (!pod.isDaemon() && !pod.madeBy().equals("Node") && !pod.leftOver()) {
          leaving.add(pod);
        }
      }
    }
    var settling = new Settling(cluster);
    while (leaving.removeIf(pod -> leaves(pod, settling))) {
      // Every pod that found a new place may let another go.
    }
    return leaving.stream()
        .map(pod -> "%s (%s)".formatted(pod.key(), budgets.refusing(pod)))
        .toList();
  }

  private boolean leaves(Resident pod, Settling settling) {
    if (!budgets.allows(pod)) {
      return false;
    }
    new Owners(cluster).evict(pod);
    settling.settle();
    return true;
  }
}
