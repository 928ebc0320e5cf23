package io.berth.cli;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Breaks and mends simulated nodes, by the annotations that their kubelets follow.
///
/// All nodes are looked up before the first one is changed, so a wrong name changes nothing.
final class Breakage {

  static final String FAILURE = "berth.io/failure";
  static final String SLOW = "berth.io/slow";
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String SIMULATED = "berth.io/kubelet";

  private final Cluster cluster;

  Breakage(Cluster cluster) {
    this.cluster = cluster;
  }

  List<Tree> named(List<String> names) {
    var nodes = new ArrayList<Tree>();
    for (var name : names) {
      nodes.add(cluster.fetch(Resource.NODES, "", name));
    }
    nodes.forEach(this::requireSimulated);
    return nodes;
  }

  List<Tree> inZones(List<String> zones) {
    var nodes = new ArrayList<Tree>();
    for (var zone : zones) {
      nodes.addAll(inZone(zone));
    }
    nodes.forEach(this::requireSimulated);
    return nodes;
  }

  private List<Tree> inZone(String zone) {
    var nodes = cluster.list(Resource.NODES, "", Selection.labels(ZONE + "=" + zone)).items();
    if (nodes.isEmpty()) {
      throw new UserError(
          "no node is in zone '%s'; the zones are %s".formatted(zone, String.join(", ", zones())));
    }
    return nodes;
  }

  /// Sets both annotations on each node (`null` takes one away); returns what each is now.
  List<Tree> set(List<Tree> nodes, @Nullable String failure, @Nullable String slow) {
    var annotations = new Tree().put(FAILURE, failure).put(SLOW, slow);
    var patch = Tree.of("metadata", Tree.of("annotations", annotations));
    var changed = new ArrayList<Tree>();
    for (var node : nodes) {
      changed.add(cluster.patch(Resource.NODES, "", name(node), null, PatchType.MERGE, patch));
    }
    return changed;
  }

  static String name(Tree node) {
    return node.textOrEmpty("metadata", "name");
  }

  static String zone(Tree node) {
    return node.textOrEmpty("metadata", "labels", ZONE);
  }

  /// `partition`, `power-loss`, `slow by 10s`, or `well`.
  static String state(Tree node) {
    var failure = node.textOrEmpty("metadata", "annotations", FAILURE);
    if (!failure.isEmpty()) {
      return failure;
    }
    var slow = node.textOrEmpty("metadata", "annotations", SLOW);
    return slow.isEmpty() ? "well" : "slow by " + slow;
  }

  private void requireSimulated(Tree node) {
    try {
      var lease = cluster.fetch(Resource.LEASES, "kube-node-lease", name(node));
      if (lease.text("metadata", "annotations", SIMULATED) != null) {
        return;
      }
    } catch (ApiException e) {
      if (!e.is("NotFound")) {
        throw e;
      }
    }
    throw new UserError(
        "node '%s' is not simulated by Berth; only such nodes can be broken from here"
            .formatted(name(node)));
  }

  private List<String> zones() {
    return cluster.list(Resource.NODES, "", Selection.ALL).items().stream()
        .map(Breakage::zone)
        .filter(zone -> !zone.isEmpty())
        .distinct()
        .sorted()
        .toList();
  }
}
