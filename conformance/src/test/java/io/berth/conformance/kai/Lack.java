package io.berth.conformance.kai;

import io.berth.api.Tree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a recording needs that the arbiter has no word for.
enum Lack {
  DEVICE_CLAIMS,
  MIG,
  NESTED_QUEUES,
  PLACEMENT_STRATEGIES,
  TOPOLOGY_OF_SUB_GROUPS;

  /// So many recordings are left out.
  static final Map<Lack, Integer> KNOWN =
      Map.of(
          DEVICE_CLAIMS,
          15,
          MIG,
          28,
          NESTED_QUEUES,
          2,
          PLACEMENT_STRATEGIES,
          7,
          TOPOLOGY_OF_SUB_GROUPS,
          10);

  static @Nullable Lack of(Recording recording) {
    var tree = recording.tree();
    if (tree.flag("Dra")) {
      return DEVICE_CLAIMS;
    }
    if (tree.has("Conf")) {
      return PLACEMENT_STRATEGIES;
    }
    if (tree.flag("NoDepartment") && tree.trees("Queues").size() > 1) {
      return NESTED_QUEUES;
    }
    var nodes = tree.treeOrEmpty("Nodes");
    if (nodes.names().stream().anyMatch(node -> nodes.treeOrEmpty(node).has("Mig"))) {
      return MIG;
    }
    return tree.trees("Jobs").stream().anyMatch(job -> isNested(job.treeOrEmpty("Groups")))
        ? TOPOLOGY_OF_SUB_GROUPS
        : null;
  }

  private static boolean isNested(Tree group) {
    return !group.trees("Groups").isEmpty()
        || group.trees("PodSets").stream().anyMatch(set -> set.has("Topology"));
  }
}
