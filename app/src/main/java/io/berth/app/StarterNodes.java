package io.berth.app;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Cluster.Selection;
import java.util.List;

/// The nodes a new cluster begins with; a cluster that already has some keeps them.
final class StarterNodes {

  private static final int PLAIN = 5;
  private static final int ZONES = 3;

  private final Cluster cluster;

  StarterNodes(Cluster cluster) {
    this.cluster = cluster;
  }

  /// `count` plain nodes over three zones; below zero: five of them and one with a GPU.
  void create(int count) {
    if (!cluster.list(Resource.NODES, "", Selection.ALL).items().isEmpty()) {
      return;
    }
    for (int i = 1; i <= (count < 0 ? PLAIN : count); i++) {
      cluster.create(Resource.NODES, node("node-" + i, i));
    }
    if (count < 0) {
      cluster.create(Resource.NODES, gpuNode());
    }
  }

  private static Tree gpuNode() {
    var node = node("gpu-1", 1);
    node.putAt("true", "metadata", "labels", "nvidia.com/gpu.present");
    node.putAt(
        List.of(Tree.of("key", "nvidia.com/gpu", "value", "present", "effect", "NoSchedule")),
        "spec",
        "taints");
    for (var amounts : List.of("capacity", "allocatable")) {
      node.putAt(
          Tree.of(
              "cpu",
              "16",
              "memory",
              "64Gi",
              "ephemeral-storage",
              "100Gi",
              "pods",
              "110",
              "nvidia.com/gpu",
              "1"),
          "status",
          amounts);
    }
    return node;
  }

  private static Tree node(String name, int index) {
    var labels =
        Tree.of(
            "kubernetes.io/hostname",
            name,
            "kubernetes.io/os",
            "linux",
            "kubernetes.io/arch",
            "amd64",
            "topology.kubernetes.io/region",
            "region-1",
            "topology.kubernetes.io/zone",
            "zone-" + (char) ('a' + (index - 1) % ZONES));
    return Tree.of(
        "apiVersion", "v1", "kind", "Node", "metadata", Tree.of("name", name, "labels", labels));
  }
}
