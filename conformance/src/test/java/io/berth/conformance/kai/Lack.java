package io.berth.conformance.kai;

import io.berth.api.Tree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a recording needs that the arbiter has no word for.
enum Lack {
  DEVICE_CLAIMS,
  /// Pods from before MIG profiles, and nodes on which every device is sliced alike.
  MIG_MODES,
  PLACEMENT_STRATEGIES,
  TOPOLOGY_OF_SUB_GROUPS;

  /// So many recordings are left out.
  static final Map<Lack, Integer> KNOWN =
      Map.of(DEVICE_CLAIMS, 15, MIG_MODES, 5, PLACEMENT_STRATEGIES, 7, TOPOLOGY_OF_SUB_GROUPS, 10);

  static @Nullable Lack of(Recording recording) {
    var tree = recording.tree();
    if (tree.flag("Dra")) {
      return DEVICE_CLAIMS;
    }
    if (tree.has("Conf")) {
      return PLACEMENT_STRATEGIES;
    }
    var nodes = tree.treeOrEmpty("Nodes");
    boolean alike =
        nodes.names().stream()
            .anyMatch(node -> nodes.treeOrEmpty(node).textOrEmpty("Mig").equals("single"));
    if (alike
        || tree.trees("Jobs").stream()
            .flatMap(job -> job.trees("Tasks").stream())
            .anyMatch(pod -> pod.flag("LegacyMig"))) {
      return MIG_MODES;
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
