package io.berth.workloads.org;

import static io.berth.workloads.access.ResourceType.CLUSTER;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;

/// `/api/v1/clusters`: there is one, the one Berth runs on.
public final class ClusterRoutes {

  private static final String BASE = "/api/v1/clusters";

  private final State state;
  private final Scopes scopes;

  public ClusterRoutes(State state, Scopes scopes) {
    this.state = state;
    this.scopes = scopes;
  }

  public void addTo(Routes routes) {
    routes
        .get(BASE, "get_clusters", _ -> Answer.json(200, new ArrayList<Object>(List.of(view()))))
        .needs(Action.READ, CLUSTER)
        .query("verbosity", "includeRequestedForDelete");
    routes
        .get(
            BASE + "/{clusterUuid}",
            "get_cluster_by_uuid",
            call -> {
              check(call);
              return Answer.json(200, view());
            })
        .needs(Action.READ, CLUSTER)
        .query("verbosity");
    routes
        .put(BASE + "/{clusterUuid}", "update_cluster", this::rename)
        .needs(Action.UPDATE, CLUSTER)
        .takes("ClusterUpdateRequest")
        .answers(204);
    routes
        .post(
            BASE,
            "create_cluster",
            _ -> {
              throw Refusal.notServed("A second cluster");
            })
        .needs(Action.CREATE, CLUSTER)
        .takes("ClusterCreationRequest")
        .answersOnly(501);
    routes
        .delete(
            BASE + "/{clusterUuid}",
            "delete_cluster",
            _ -> {
              throw Refusal.notServed("Removing the cluster Berth runs on");
            })
        .needs(Action.DELETE, CLUSTER)
        .query("force")
        .answersOnly(501);
  }

  private void check(Call call) {
    if (!call.path("clusterUuid").equals(state.clusterId())) {
      throw Refusal.notFound();
    }
  }

  private Tree view() {
    return Tree.of(
        "uuid", state.clusterId(),
        "name", state.clusterName(),
        "tenantId", state.tenantId(),
        "createdAt", state.tenant().textOrEmpty("spec", "createdAt"),
        "version", "2.25",
        "status", Tree.of("state", "Connected", "conditions", new ArrayList<>()));
  }

  private Answer rename(Call call) {
    check(call);
    call.caller().require(Action.UPDATE, CLUSTER, scopes.cluster());
    var body = call.body("ClusterUpdateRequest");
    state.changeTenant(tenant -> tenant.putAt(body.textOrEmpty("name"), "spec", "clusterName"));
    return Answer.empty(204);
  }
}
