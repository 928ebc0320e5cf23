package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.NODEPOOLS;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
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
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

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

  private static final String BASE = "/api/v1/node-pools";
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern LABEL_NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern LABEL_PREFIX =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private final State state;
  private final NodePools pools;
  private final Scopes scopes;
  private final PoolView view;

  public NodePoolRoutes(State state, NodePools pools, Scopes scopes) {
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
    if (!NAME.matcher(name).matches()) {
      throw Refusal.badRequest(
          "Bad request - name: \"%s\" must be 1 to 63 lower-case letters, digits and hyphens, and begin and end with a letter or digit"
              .formatted(name));
    }
    Units.checkCluster(state, body.textOrEmpty("clusterId"));
    checkLabel(name, body.textOrEmpty("labelKey"), body.textOrEmpty("labelValue"));
    checkTopology(body);
    checkScheduling(body.treeOrEmpty("schedulingConfiguration"));
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
      return Answer.json(201, view.of(Pool.of(created)));
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
    if (body.has("labelKey") || body.has("labelValue")) {
      var key = body.has("labelKey") ? body.textOrEmpty("labelKey") : pool.label();
      var value = body.has("labelValue") ? body.textOrEmpty("labelValue") : pool.value();
      if (!key.equals(pool.label()) || !value.equals(pool.value())) {
        if (pool.isDefault()) {
          throw Refusal.badRequest(
              "Bad request - the label of the default node pool cannot change");
        }
        checkLabel(pool.name(), key, value);
      }
    }
    checkTopology(body);
    checkScheduling(body.treeOrEmpty("schedulingConfiguration"));
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
    return Answer.json(200, view.of(Pool.of(changed)));
  }

  private Answer delete(Call call) {
    call.caller().require(Action.DELETE, NODEPOOLS, scopes.cluster());
    var pool = found(call);
    if (pool.isDefault()) {
      throw Refusal.badRequest("Bad request - the default node pool cannot be deleted");
    }
    var users = new ArrayList<String>();
    for (var project : state.table(BerthKinds.PROJECTS).all()) {
      if (uses(project, pool)) {
        users.add(project.textOrEmpty("metadata", "name"));
      }
    }
    if (!users.isEmpty()) {
      throw Refusal.badRequest(
          "Bad request - node pool \"%s\" has quota in, or is a default of, project %s; remove it there first"
              .formatted(pool.name(), String.join(", ", users)));
    }
    state.table(BerthKinds.NODE_POOLS).delete("", pool.name(), DeleteOptions.DEFAULT);
    return Answer.empty(204);
  }

  private static boolean uses(Tree project, Pool pool) {
    if (project.list("spec", "defaultNodePools").contains(pool.name())) {
      return true;
    }
    return project.trees("spec", "resources").stream()
        .anyMatch(each ->
            each.textOrEmpty("nodePool", "id").equals(pool.id())
                && Units.amount(each.at("gpu", "deserved")) > 0);
  }

  private void checkLabel(String name, String key, String value) {
    var slash = key.indexOf('/');
    var prefix = slash < 0 ? "" : key.substring(0, slash);
    boolean valid =
        LABEL_NAME.matcher(key.substring(slash + 1)).matches()
            && (slash < 0 || (prefix.length() <= 253 && LABEL_PREFIX.matcher(prefix).matches()));
    if (!valid) {
      throw Refusal.badRequest(
          "Bad request - labelKey: \"%s\" is no Kubernetes label key".formatted(key));
    }
    if (!LABEL_NAME.matcher(value).matches()) {
      throw Refusal.badRequest(
          "Bad request - labelValue: \"%s\" is no Kubernetes label value".formatted(value));
    }
    for (var other : pools.all()) {
      if (!other.name().equals(name) && other.label().equals(key) && other.value().equals(value)) {
        throw Refusal.badRequest(
            "Bad request - label %s=%s already belongs to node pool \"%s\""
                .formatted(key, value, other.name()));
      }
    }
  }

  private void checkTopology(Tree body) {
    var id = body.textOrEmpty("networkTopologyId");
    if (!id.isEmpty() && state.table(BerthKinds.NETWORK_TOPOLOGIES).findByUid(id).isEmpty()) {
      throw Refusal.badRequest(
          "Bad request - networkTopologyId: there is no network topology \"%s\"".formatted(id));
    }
  }

  private static void checkScheduling(Tree scheduling) {
    checkDuration(scheduling, "minGuaranteedRuntime", "schedulingConfiguration");
    var history = scheduling.treeOrEmpty("timeBasedFairShare");
    for (var field : List.of("decayHalfLife", "windowDuration")) {
      checkDuration(history, field, "schedulingConfiguration.timeBasedFairShare");
    }
  }

  private static void checkDuration(Tree tree, String field, String path) {
    var text = tree.text(field);
    if (text != null && Durations.find(text).isEmpty()) {
      throw Refusal.badRequest(
          "Bad request - %s.%s: \"%s\" is no length of time; write it like 5d8h40m"
              .formatted(path, field, text));
    }
  }
}
