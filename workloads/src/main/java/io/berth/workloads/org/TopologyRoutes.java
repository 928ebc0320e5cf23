package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.NETWORK_TOPOLOGIES;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns;
import io.berth.workloads.list.ListRequest;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// `/api/v1/network-topologies`: labels from the farthest level to the closest.
public final class TopologyRoutes {

  private static final Columns COLUMNS =
      Columns.searching("name").texts("name", "clusterId", "phase").times("createdAt");
  private static final String BASE = "/api/v1/network-topologies";

  private final State state;
  private final Scopes scopes;

  public TopologyRoutes(State state, Scopes scopes) {
    this.state = state;
    this.scopes = scopes;
  }

  public void addTo(Routes routes) {
    routes
        .get(BASE, "get_network_topologies", this::list)
        .needs(Action.READ, NETWORK_TOPOLOGIES)
        .query("filterBy[]");
    routes
        .get(BASE + "/count", "get_network_topologies_count", this::count)
        .needs(Action.READ, NETWORK_TOPOLOGIES)
        .query("filterBy[]");
    routes
        .get(
            BASE + "/{networkTopologyId}",
            "get_network_topology_by_id",
            call -> Answer.json(200, view(found(call))))
        .needs(Action.READ, NETWORK_TOPOLOGIES);
    routes
        .post(BASE, "create_network_topology", this::create)
        .needs(Action.CREATE, NETWORK_TOPOLOGIES)
        .takes("NetworkTopologyCreateRequest")
        .answers(201);
    routes
        .delete(BASE + "/{networkTopologyId}", "delete_network_topology", this::delete)
        .needs(Action.DELETE, NETWORK_TOPOLOGIES)
        .answers(204);
  }

  private Answer list(Call call) {
    return Answer.json(
        200, ListRequest.of(call.request(), COLUMNS).page(views()).body("networkTopologies"));
  }

  private Answer count(Call call) {
    return Answer.json(
        200, Tree.of("count", ListRequest.of(call.request(), COLUMNS).select(views()).size()));
  }

  private List<Tree> views() {
    return state.table(BerthKinds.NETWORK_TOPOLOGIES).all().stream().map(this::view).toList();
  }

  private Tree view(Tree topology) {
    var users = new ArrayList<Object>();
    for (var pool : state.units(BerthKinds.NODE_POOLS)) {
      if (topology.textOrEmpty("metadata", "uid").equals(pool.text("spec", "networkTopologyId"))) {
        users.add(Projects.name(pool));
      }
    }
    return Tree.of(
        "id", topology.text("metadata", "uid"),
        "name", Projects.name(topology),
        "levels", new ArrayList<>(topology.list("spec", "levels")),
        "clusterId", state.clusterId(),
        "tenantId", state.tenantId(),
        "createdAt", topology.textOrEmpty("spec", "createdAt"),
        "phase", "Ready",
        "nodePools", users);
  }

  private Tree found(Call call) {
    return state
        .table(BerthKinds.NETWORK_TOPOLOGIES)
        .findByUid(call.path("networkTopologyId"))
        .orElseThrow(Refusal::notFound);
  }

  private Answer create(Call call) {
    call.caller().require(Action.CREATE, NETWORK_TOPOLOGIES, scopes.cluster());
    var body = call.body("NetworkTopologyCreateRequest");
    var name = body.textOrEmpty("name");
    if (!name.matches("[a-z]([a-z0-9-]{0,61}[a-z0-9])?")) {
      throw Refusal.badRequest(
          "Bad request - name: \"%s\" must be 1 to 63 lower-case letters, digits and hyphens, and begin with a letter"
              .formatted(name));
    }
    Units.checkCluster(state, body.textOrEmpty("clusterId"));
    var levels = body.list("levels");
    if (levels.isEmpty() || new HashSet<>(levels).size() < levels.size()) {
      throw Refusal.badRequest("Bad request - levels: one or more label keys, each only once");
    }
    var spec =
        Tree.of(
            "levels", new ArrayList<>(levels),
            "createdBy", call.caller().name(),
            "createdAt", state.times().now());
    try {
      var created =
          state
              .table(BerthKinds.NETWORK_TOPOLOGIES)
              .create(Tree.of("metadata", Tree.of("name", name), "spec", spec));
      return Answer.json(201, view(created));
    } catch (ApiException e) {
      throw e.code() == 409
          ? Refusal.badRequest(
              "Bad request - a network topology named \"%s\" already exists".formatted(name))
          : e;
    }
  }

  private Answer delete(Call call) {
    call.caller().require(Action.DELETE, NETWORK_TOPOLOGIES, scopes.cluster());
    var topology = found(call);
    var users = view(topology).list("nodePools");
    if (!users.isEmpty()) {
      throw Refusal.badRequest(
          "Bad request - network topology \"%s\" is used by node pool %s; remove it there first"
              .formatted(
                  Projects.name(topology),
                  String.join(", ", users.stream().map(String::valueOf).toList())));
    }
    state.table(BerthKinds.NETWORK_TOPOLOGIES).delete(topology);
    return Answer.empty(204);
  }
}
