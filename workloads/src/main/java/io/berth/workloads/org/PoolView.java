package io.berth.workloads.org;

import io.berth.api.Tree;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;

/// A node pool as the API shows it.
final class PoolView {

  static final String DEFAULT_ACCELERATION = "nvidia.com/gpu.clique";

  private final State state;
  private final NodePools pools;

  PoolView(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
  }

  Tree of(Pool pool) {
    var view = pool.object().treeOrEmpty("spec").copy();
    var nodes = pools.nodesOf(pool.name());
    view.put("id", pool.id())
        .put("name", pool.name())
        .put("clusterId", state.clusterId())
        .put("clusterName", state.clusterName())
        .put("tenantId", state.tenantId())
        .put("isDefault", pool.isDefault())
        .put("phase", phase(pool, nodes))
        .put("networkTopologyName", topologyName(pool))
        .put("status", status(pool, nodes));
    view.putIfAbsent("overProvisioningRatio", 1);
    view.putIfAbsent("gpuNetworkAccelerationDetection", "Auto");
    view.putIfAbsent("gpuNetworkAccelerationLabelKey", DEFAULT_ACCELERATION);
    return view;
  }

  private static String phase(Pool pool, List<Tree> nodes) {
    if (pool.isBeingDeleted()) {
      return "Deleting";
    }
    if (nodes.isEmpty()) {
      return "Empty";
    }
    return nodes.stream().allMatch(node -> node.flag("spec", "unschedulable"))
        ? "Unschedulable"
        : "Ready";
  }

  private Tree status(Pool pool, List<Tree> nodes) {
    var names = new ArrayList<Object>();
    nodes.forEach(node -> names.add(node.textOrEmpty("metadata", "name")));
    return Tree.of(
        "labelKey", pool.label(),
        "labelValue", pool.value(),
        "nodes", names,
        "conditions", new ArrayList<>(conditions(pool, nodes)),
        "gpuNetworkAccelerationDetected", isAccelerated(pool, nodes));
  }

  private List<Tree> conditions(Pool pool, List<Tree> nodes) {
    var conditions = new ArrayList<Tree>();
    var elsewhere = pools.claimedTwice(pool);
    if (!elsewhere.isEmpty()) {
      conditions.add(
          condition("LabelConflict", "nodes with this label are an older node pool's", elsewhere));
    }
    var outside = outside(pool, nodes);
    if (!outside.isEmpty()) {
      conditions.add(
          condition("TopologyMismatch", "nodes lack a label of the network topology", outside));
    }
    return conditions;
  }

  private static Tree condition(String type, String message, List<?> nodes) {
    return Tree.of(
        "type", type,
        "reason", type,
        "message", message,
        "status", "True",
        "nodes", new ArrayList<>(nodes));
  }

  /// Nodes that lack a level of the pool's topology are outside of it.
  private List<Object> outside(Pool pool, List<Tree> nodes) {
    var topology = topology(pool);
    if (topology == null) {
      return List.of();
    }
    var outside = new ArrayList<Object>();
    for (var node : nodes) {
      for (var level : topology.list("spec", "levels")) {
        if (node.at("metadata", "labels", String.valueOf(level)) == null) {
          outside.add(node.textOrEmpty("metadata", "name"));
          break;
        }
      }
    }
    return outside;
  }

  static boolean isAccelerated(Pool pool, List<Tree> nodes) {
    return switch (pool.object().textOrEmpty("spec", "gpuNetworkAccelerationDetection")) {
      case "Use" -> true;
      case "DontUse" -> false;
      default ->
          nodes.stream()
              .anyMatch(node -> node.at("metadata", "labels", pool.accelerationLabel()) != null);
    };
  }

  private @org.jspecify.annotations.Nullable Tree topology(Pool pool) {
    var id = pool.object().textOrEmpty("spec", "networkTopologyId");
    return id.isEmpty()
        ? null
        : state.table(BerthKinds.NETWORK_TOPOLOGIES).findByUid(id).orElse(null);
  }

  private @org.jspecify.annotations.Nullable String topologyName(Pool pool) {
    var topology = topology(pool);
    return topology == null ? null : topology.text("metadata", "name");
  }
}
