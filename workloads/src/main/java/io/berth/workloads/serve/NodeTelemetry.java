package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.NODES;

import io.berth.api.PodPhase;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.org.Usage;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `GET /api/v1/nodes/telemetry`: what the nodes have and hold now.
public final class NodeTelemetry {

  // There is no agent on the nodes that would know: answered without values.
  private static final List<String> UNMEASURED =
      List.of(
          "IDLE_ALLOCATED_GPUS",
          "USED_CPU_CORES",
          "TOTAL_GPU_MEMORY_BYTES",
          "USED_GPU_MEMORY_BYTES",
          "USED_CPU_MEMORY_BYTES");

  private final State state;
  private final NodePools pools;

  public NodeTelemetry(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
  }

  public void addTo(Routes routes) {
    routes
        .get("/api/v1/nodes/telemetry", "get_node_telemetry", this::answer)
        .needs(Action.READ, NODES)
        .query("clusterId", "nodepoolName", "groupBy[]", "telemetryType*");
  }

  private Answer answer(Call call) {
    var type = Sums.type(call);
    if (UNMEASURED.contains(type)) {
      var nothing = Tree.of("type", type, "timestamp", state.times().now());
      return Answer.json(200, nothing.put("values", new ArrayList<>()));
    }
    var sums = new Sums(call, List.of("ClusterId", "Nodepool"));
    var byNode = pools.poolsByNode();
    var held = held();
    var wanted = call.parameter("nodepoolName");
    var cluster = call.parameter("clusterId");
    for (var node : state.table(Resource.NODES).all()) {
      var pool = byNode.getOrDefault(Projects.name(node), NodePools.DEFAULT);
      if ((wanted.isEmpty() || wanted.equals(pool))
          && (cluster.isEmpty() || cluster.equals(state.clusterId()))) {
        var use = held.getOrDefault(Projects.name(node), Usage.Amount.ZERO);
        sums.add(
            amount(type, node, use),
            group -> group.equals("Nodepool") ? pool : state.clusterId(),
            group -> group.equals("Nodepool") ? pool : state.clusterName());
      }
    }
    return Answer.json(200, sums.tree(type, state.times().now()));
  }

  private Map<String, Usage.Amount> held() {
    var held = new HashMap<String, Usage.Amount>();
    for (var pod : state.table(Resource.PODS).all()) {
      if (!PodPhase.isTerminal(pod)) {
        held.merge(pod.textOrEmpty("spec", "nodeName"), Usage.amountOf(pod), Usage.Amount::plus);
      }
    }
    return held;
  }

  private static double amount(String type, Tree node, Usage.Amount use) {
    return switch (type) {
      case "TOTAL_GPU_NODES" -> gpus(node) > 0 ? 1 : 0;
      case "READY_GPU_NODES" -> isReady(node) && gpus(node) > 0 ? 1 : 0;
      case "FULLY_FREE_GPU_NODES" -> gpus(node) > 0 && use.gpu() == 0 ? 1 : 0;
      case "TOTAL_GPUS" -> gpus(node);
      case "READY_GPUS" -> isReady(node) ? gpus(node) : 0;
      case "ALLOCATED_GPUS" -> use.gpu();
      case "FREE_GPUS" -> gpus(node) - use.gpu();
      case "TOTAL_CPU_CORES" -> allocatable(node, "cpu");
      case "ALLOCATED_CPU_CORES" -> use.cpu() / 1000;
      case "TOTAL_CPU_MEMORY_BYTES" -> allocatable(node, "memory");
      case "ALLOCATED_CPU_MEMORY_BYTES" -> use.memory();
      case String other ->
          throw Refusal.badRequest("telemetryType: \"%s\" does not exist".formatted(other));
    };
  }

  static double gpus(Tree node) {
    return allocatable(node, "nvidia.com/gpu");
  }

  private static double allocatable(Tree node, String resource) {
    var text = node.textOrEmpty("status", "allocatable", resource);
    return text.isEmpty() ? 0 : Quantity.parse(text).amount().doubleValue();
  }

  private static boolean isReady(Tree node) {
    return node.trees("status", "conditions").stream()
        .anyMatch(condition ->
            condition.textOrEmpty("type").equals("Ready")
                && condition.textOrEmpty("status").equals("True"));
  }
}
