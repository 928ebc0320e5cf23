package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.NODES;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.State;
import io.berth.workloads.state.Times;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `/api/v1/nodes`, and the same below a cluster.
public final class NodeRoutes {

  private static final Columns COLUMNS =
      Columns.searching("name")
          .texts("name", "status", "nodePool", "nvLinkDomainUid", "nvLinkCliqueId", "clusterUuid")
          .column("gpuType", Columns.Kind.TEXT, node -> node.at("gpuInfo", "gpuType"));

  private final State state;
  private final NodePools pools;

  public NodeRoutes(State state, NodePools pools) {
    this.state = state;
    this.pools = pools;
  }

  public void addTo(Routes routes) {
    routes
        .get("/api/v1/nodes", "get_tenant_nodes", this::list)
        .needs(Action.READ, NODES)
        .query("filterBy[]", "sortBy", "sortOrder", "offset", "limit", "search");
    routes
        .get("/api/v1/nodes/count", "count_tenant_nodes", this::count)
        .needs(Action.READ, NODES)
        .query("filterBy[]", "search");
    routes.get("/api/v1/nodes/{nodeId}", "get_node", this::get).needs(Action.READ, NODES);
    var ofCluster = "/api/v1/clusters/{clusterUuid}/nodes";
    routes
        .get(ofCluster, "get_nodes", call -> list(checked(call)))
        .needs(Action.READ, NODES)
        .query("filterBy[]", "sortBy", "sortOrder", "offset", "limit", "search");
    routes
        .get(ofCluster + "/count", "count_nodes", call -> count(checked(call)))
        .needs(Action.READ, NODES)
        .query("filterBy[]", "search");
  }

  private Call checked(Call call) {
    if (!call.path("clusterUuid").equals(state.clusterId())) {
      throw Refusal.notFound();
    }
    return call;
  }

  private Answer list(Call call) {
    return Answer.json(200, ListRequest.of(call.request(), COLUMNS).page(views()).body("nodes"));
  }

  private Answer count(Call call) {
    return Answer.json(
        200, Tree.of("count", ListRequest.of(call.request(), COLUMNS).select(views()).size()));
  }

  private Answer get(Call call) {
    var id = call.path("nodeId");
    return views().stream()
        .filter(node -> id.equals(node.text("id")) || id.equals(node.text("name")))
        .findFirst()
        .map(node -> (Answer) Answer.json(200, node))
        .orElseThrow(Refusal::notFound);
  }

  private List<Tree> views() {
    var pool = pools.poolsByNode();
    var views = new ArrayList<Tree>();
    for (var node : state.table(Resource.NODES).all()) {
      views.add(view(node, pool.getOrDefault(Projects.name(node), NodePools.DEFAULT)));
    }
    return views;
  }

  /// The vendor's fields, and what Berth shows beside them: labels and what the node has.
  private Tree view(Tree node, String pool) {
    var ready = condition(node, "Ready");
    var created = Times.of(node.textOrEmpty("metadata", "creationTimestamp"));
    var clique =
        node.at("metadata", "labels", "nvidia.com/gpu.clique") instanceof String text ? text : null;
    return Tree.of(
        "id", node.text("metadata", "uid"),
        "name", Projects.name(node),
        "status", status(ready),
        "conditions", conditions(node),
        "taints", taints(node),
        "nodePool", pool,
        "gpuInfo", gpus(node),
        "nvLinkDomainUid", clique == null ? null : clique.split("\\.", 2)[0],
        "nvLinkCliqueId",
            clique == null || !clique.contains(".") ? null : clique.split("\\.", 2)[1],
        "clusterUuid", state.clusterId(),
        "createdAt", created,
        "updatedAt", ready == null ? created : changed(ready, created),
        "unschedulable", node.flag("spec", "unschedulable"),
        "labels", node.treeOrEmpty("metadata", "labels").copy(),
        "allocatable", node.treeOrEmpty("status", "allocatable").copy());
  }

  private static String changed(Tree ready, String created) {
    var at = Times.of(ready.textOrEmpty("lastTransitionTime"));
    return at.isEmpty() ? created : at;
  }

  private static String status(@Nullable Tree ready) {
    return switch (ready == null ? "Unknown" : ready.textOrEmpty("status")) {
      case "True" -> "Ready";
      case "False" -> "NotReady";
      default -> "Unknown";
    };
  }

  private static @Nullable Tree condition(Tree node, String type) {
    for (var condition : node.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals(type)) {
        return condition;
      }
    }
    return null;
  }

  private static List<Object> conditions(Tree node) {
    var conditions = new ArrayList<Object>();
    for (var condition : node.trees("status", "conditions")) {
      conditions.add(
          Tree.of(
              "type", condition.textOrEmpty("type"),
              "reason", condition.textOrEmpty("reason"),
              "message", condition.textOrEmpty("message")));
    }
    return conditions;
  }

  private static List<Object> taints(Tree node) {
    var taints = new ArrayList<Object>();
    for (var taint : node.trees("spec", "taints")) {
      taints.add(
          Tree.of(
              "key", taint.textOrEmpty("key"),
              "value", taint.textOrEmpty("value"),
              "effect", taint.textOrEmpty("effect")));
    }
    return taints;
  }

  private static @Nullable Tree gpus(Tree node) {
    var count = node.at("status", "capacity", "nvidia.com/gpu");
    if (count == null || String.valueOf(count).equals("0")) {
      return null;
    }
    var product = node.at("metadata", "labels", "nvidia.com/gpu.product");
    return Tree.of(
        "gpuType",
        product instanceof String text ? text : "GPU",
        "gpuCount",
        Long.parseLong(String.valueOf(count)));
  }
}
