package io.berth.placement.run;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.PatchType;
import io.berth.cluster.Cluster.Selection;
import io.berth.placement.virtual.VirtualCluster;
import java.util.ArrayList;
import java.util.List;

/// Empties nodes as `kubectl drain --ignore-daemonsets --force` does: closes them, then evicts
/// within budgets, again as long as that gets anywhere. What budgets keep stays.
final class Evacuation {

  private static final int TOO_MANY_REQUESTS = 429;

  private final VirtualCluster cluster;

  Evacuation(VirtualCluster cluster) {
    this.cluster = cluster;
  }

  void drain(List<String> nodes) {
    for (var node : nodes) {
      var closed = Tree.of("spec", Tree.of("unschedulable", true));
      cluster.call(api -> api.patch(Resource.NODES, "", node, null, PatchType.MERGE, closed));
    }
    while (evictSome(nodes)) {
      cluster.rest();
    }
  }

  private boolean evictSome(List<String> nodes) {
    boolean any = false;
    for (var pod : leaving(nodes)) {
      any |= evict(pod);
    }
    return any;
  }

  private boolean evict(Tree pod) {
    var namespace = pod.textOrEmpty("metadata", "namespace");
    var name = pod.textOrEmpty("metadata", "name");
    var eviction =
        Tree.of("apiVersion", "policy/v1", "kind", "Eviction")
            .put("metadata", Tree.of("name", name, "namespace", namespace));
    try {
      cluster.call(api -> api.post(Resource.PODS, namespace, name, "eviction", eviction));
      return true;
    } catch (ApiException e) {
      if (e.code() == TOO_MANY_REQUESTS || e.is("NotFound")) {
        return false;
      }
      throw e;
    }
  }

  private List<Tree> leaving(List<String> nodes) {
    var leaving = new ArrayList<Tree>();
    for (var pod : cluster.api().list(Resource.PODS, "", Selection.ALL).items()) {
      if (nodes.contains(pod.textOrEmpty("spec", "nodeName"))
          && pod.at("metadata", "deletionTimestamp") == null
          && !stays(pod)) {
        leaving.add(pod);
      }
    }
    return leaving;
  }

  private static boolean stays(Tree pod) {
    var owners = pod.trees("metadata", "ownerReferences");
    return owners.stream().anyMatch(owner -> owner.textOrEmpty("kind").equals("DaemonSet"))
        || pod.text("metadata", "annotations", "kubernetes.io/config.mirror") != null;
  }
}
