package io.berth.workloads.serve;

import io.berth.api.Tree;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.asset.Assets;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.policies.Policies;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.PodRoles;
import io.berth.workloads.submit.Submission;
import java.util.List;

/// Who asked for what: the user, a policy, the node pools, or the platform.
final class Sources {

  private static final String AFFINITY = "nodeAffinityRequired";

  private final NodePools pools;
  private final Policies policies;

  Sources(State state, NodePools pools) {
    this.pools = pools;
    var scopes = new Scopes(state);
    this.policies = new Policies(state, scopes, new Assets(state, scopes));
  }

  /// Where an expression of the merged affinity comes from.
  String of(Found found, PodRoles.Role role, Tree expression) {
    if (holds(role.spec().trees(AFFINITY, "nodeSelectorTerms"), expression)) {
      return isPreset(found, role, AFFINITY) || isMergedIn(found, role, expression)
          ? "policy"
          : "user";
    }
    boolean ofPool =
        pools.all().stream().anyMatch(pool -> pool.label().equals(expression.text("key")));
    return ofPool || expression.textOrEmpty("key").equals(NodePools.POOL_LABEL)
        ? "pool"
        : "platform";
  }

  /// Why these pools: the request named them, a policy did, or they are the project's.
  String ofPools(Found found, PodRoles.Role role) {
    boolean named =
        !role.spec().list("nodePools").isEmpty()
            || !found.workload().list("spec", "nodePools").isEmpty();
    if (!named) {
      return "project";
    }
    return isPreset(found, role, "nodePools") ? "policy" : "user";
  }

  String ofNodeType(Found found, PodRoles.Role role) {
    return isPreset(found, role, "nodeType") ? "policy" : "user";
  }

  private static boolean isPreset(Found found, PodRoles.Role role, String field) {
    var annotation = found.workload().at("metadata", "annotations", Submission.PRESETS);
    var presets = List.of(String.valueOf(annotation).split(",", -1));
    return presets.contains(field) || presets.contains(role.name() + "." + field);
  }

  /// A policy may add its terms to the user's; then its own expressions are known by it.
  private boolean isMergedIn(Found found, PodRoles.Role role, Tree expression) {
    var policy = policies.effective(found.kind().policy(), found.scope()).tree();
    var section =
        policy.tree("defaults", role.name()) == null
            ? policy.treeOrEmpty("defaults")
            : policy.treeOrEmpty("defaults", role.name());
    return holds(section.trees(AFFINITY, "nodeSelectorTerms"), expression);
  }

  private static boolean holds(List<Tree> terms, Tree expression) {
    return terms.stream().anyMatch(term -> term.trees("matchExpressions").contains(expression));
  }
}
