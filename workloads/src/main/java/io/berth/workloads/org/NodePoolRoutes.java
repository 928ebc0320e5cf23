package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.NODEPOOLS;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.org.NodePools.Pool;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.List;

/// `/api/v1/node-pools`
public final class NodePoolRoutes {

  static final Columns COLUMNS =
      Columns.searching("name", "labelKey", "labelValue")
          .texts(
              "name",
              "clusterId",
              "phase",
              "gpuNetworkAccelerationDetection",
              "gpuNetworkAccelerationLabelKey",
              "networkTopologyName")
          .times("createdAt", "updatedAt")
          .column(
              "gpuNetworkAccelerationDetected",
              Columns.Kind.FLAG,
              pool -> pool.at("status", "gpuNetworkAccelerationDetected"))
          .column(
              "swapEnabled",
              Columns.Kind.FLAG,
              pool -> pool.at("gpuResourceOptimization", "swapEnabled"))
          .column(
              "nodeLevelSchedulerEnabled",
              Columns.Kind.FLAG,
              pool -> pool.at("gpuResourceOptimization", "nodeLevelSchedulerEnabled"));

  private static final int MAX_WARNINGS = 10;
  private static final String BASE = "/api/v1/node-pools";

  private final State state;
  private final NodePools pools;
  private final Scopes scopes;
  private final NodePoolRules rules;
  private final PoolView view;

  public NodePoolRoutes(State state, NodePools pools, Scopes scopes, NodePoolRules rules) {
    this.rules = rules;
    this.state = state;
    this.pools = pools;
    this.scopes = scopes;
    this.view = new PoolView(state, pools);
  }

  public void addTo(Routes routes) {
    routes
        .get(BASE, "get_nodepools", this::list)
        .needs(Action.READ, NODEPOOLS)
        .query("filterBy[]", "sortBy", "sortOrder", "offset", "limit");
    routes
        .get(BASE + "/count", "count_nodepools", this::count)
        .needs(Action.READ, NODEPOOLS)
        .query("filterBy[]");
    routes
        .get(BASE + "/{nodepoolId}", "get_nodepool", call -> Answer.json(200, view.of(found(call))))
        .needs(Action.READ, NODEPOOLS);
    routes
        .post(BASE, "create_nodepool", this::create)
        .needs(Action.CREATE, NODEPOOLS)
        .takes("NodepoolCreateFields")
        .answers(201);
    routes
        .put(BASE + "/{nodepoolId}", "update_nodepool", this::update)
        .needs(Action.UPDATE, NODEPOOLS)
        .takes("NodepoolUpdateFields")
        .answers(200);
    routes
        .patch(BASE + "/{nodepoolId}", "patch_nodepool", this::update)
        .needs(Action.UPDATE, NODEPOOLS)
        .takes("NodepoolUpdateFields")
        .answers(200);
    routes
        .delete(BASE + "/{nodepoolId}", "delete_nodepool", this::delete)
        .needs(Action.DELETE, NODEPOOLS)
        .answers(204);
  }

  private Answer list(Call call) {
    return Answer.json(
        200, ListRequest.of(call.request(), COLUMNS).page(views()).body("nodepools"));
  }

  private Answer count(Call call) {
    return Answer.json(
        200, Tree.of("count", ListRequest.of(call.request(), COLUMNS).select(views()).size()));
  }

  private List<Tree> views() {
    return pools.all().stream().map(view::of).toList();
  }

  private Pool found(Call call) {
    return pools.findById(call.path("nodepoolId")).orElseThrow(Refusal::notFound);
  }

  private Answer create(Call call) {
    call.caller().require(Action.CREATE, NODEPOOLS, scopes.cluster());
    var body = call.body("NodepoolCreateFields");
    var name = body.textOrEmpty("name");
    Units.checkCluster(state, body.textOrEmpty("clusterId"));
    rules.checkNew(body);
    var now = state.times().now();
    var spec = body.copy();
    spec.remove("name");
    spec.remove("clusterId");
    spec.put("id", state.nextId())
        .put("createdBy", call.caller().name())
        .put("createdAt", now)
        .put("updatedBy", call.caller().name())
        .put("updatedAt", now);
    try {
      var created =
          state
              .table(BerthKinds.NODE_POOLS)
              .create(Tree.of("metadata", Tree.of("name", name), "spec", spec));
      return Answer.json(201, view.of(Pool.of(created))).warning(warnings(Pool.of(created)));
    } catch (ApiException e) {
      throw e.code() == 409 ? taken(name) : e;
    }
  }

  private static Refusal taken(String name) {
    return Refusal.badRequest(
        "Bad request - a node pool named \"%s\" already exists".formatted(name));
  }

  private Answer update(Call call) {
    call.caller().require(Action.UPDATE, NODEPOOLS, scopes.cluster());
    var pool = found(call);
    var body = call.body("NodepoolUpdateFields");
    rules.checkChange(pool, body);
    var changed =
        state
            .table(BerthKinds.NODE_POOLS)
            .change(
                "",
                pool.name(),
                object -> {
                  body.fields().forEach((field, value) -> object.child("spec").put(field, value));
                  object
                      .child("spec")
                      .put("updatedBy", call.caller().name())
                      .put("updatedAt", state.times().now());
                  return object;
                });
    return Answer.json(200, view.of(Pool.of(changed))).warning(warnings(Pool.of(changed)));
  }

  /// A node is in one pool: who wants it for another is told.
  private List<String> warnings(Pool pool) {
    return pools.claimedTwice(pool).stream()
        .map(node ->
            "node %s has label %s=%s and stays in an older node pool"
                .formatted(node, pool.label(), pool.value()))
        .limit(MAX_WARNINGS)
        .toList();
  }

  private Answer delete(Call call) {
    call.caller().require(Action.DELETE, NODEPOOLS, scopes.cluster());
    var pool = found(call);
    rules.checkDeletion(pool.object());
    state.table(BerthKinds.NODE_POOLS).delete(pool.object());
    return Answer.empty(204);
  }
}
