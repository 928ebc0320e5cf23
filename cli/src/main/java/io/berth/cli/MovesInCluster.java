package io.berth.cli;

import io.berth.answers.plan.Rebalance.Move;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/// Makes the moves of a rebalance in a cluster, one after the other: evicts a pod, and waits until
/// the one that is made in its place has a node.
///
/// Evictions go through the API, which keeps to disruption budgets whatever was planned. A pod that
/// lands elsewhere than planned ends it: the rest of the plan was made for another cluster.
final class MovesInCluster {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final Cluster cluster;

  MovesInCluster(Cluster cluster) {
    this.cluster = cluster;
  }

  /// Where the pod in its place has landed. A budget that forbids it is a [UserError].
  String make(Move move) throws InterruptedException {
    int slash = move.pod().indexOf('/');
    var namespace = move.pod().substring(0, slash);
    var name = move.pod().substring(slash + 1);
    var evicted = cluster.fetch(Resource.PODS, namespace, name);
    var before = uidsBeside(evicted, namespace);
    evict(namespace, name);
    return landing(evicted, before, namespace, move);
  }

  private void evict(String namespace, String name) {
    var eviction =
        Tree.of("apiVersion", "policy/v1", "kind", "Eviction")
            .put("metadata", Tree.of("namespace", namespace, "name", name));
    try {
      cluster.post(Resource.PODS, namespace, name, "eviction", eviction);
    } catch (ApiException e) {
      throw new UserError(
          "pod %s/%s cannot be evicted: %s".formatted(namespace, name, e.getMessage()));
    }
  }

  private Set<String> uidsBeside(Tree pod, String namespace) {
    var uids = new HashSet<String>();
    for (var other : cluster.list(Resource.PODS, namespace, Selection.ALL).items()) {
      if (controller(other).equals(controller(pod))) {
        uids.add(uid(other));
      }
    }
    return uids;
  }

  private String landing(Tree evicted, Set<String> before, String namespace, Move move)
      throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      for (var pod : cluster.list(Resource.PODS, namespace, Selection.ALL).items()) {
        var node = pod.textOrEmpty("spec", "nodeName");
        boolean isNew = controller(pod).equals(controller(evicted)) && !before.contains(uid(pod));
        if (isNew && !node.isEmpty()) {
          return node;
        }
      }
      Thread.sleep(LOOK_AGAIN);
    }
    throw new UserError("nobody came in the place of pod %s".formatted(move.pod()));
  }

  private static String controller(Tree pod) {
    for (var owner : pod.trees("metadata", "ownerReferences")) {
      if (owner.flag("controller")) {
        return owner.textOrEmpty("uid");
      }
    }
    return "";
  }

  private static String uid(Tree pod) {
    return pod.textOrEmpty("metadata", "uid");
  }
}
