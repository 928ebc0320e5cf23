package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.WORKLOADS;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.http.Answer;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.Projects;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.sharing.Admission;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.Affinities;
import io.berth.workloads.submit.PodRoles;
import java.util.ArrayList;
import java.util.List;

/// `GET /api/v1/workloads/{workloadId}/explain`: why a workload is where it is, in words.
public final class ExplainRoutes {

  private final State state;
  private final NodePools pools;
  private final Admission admission;

  public ExplainRoutes(State state, NodePools pools, Admission admission) {
    this.state = state;
    this.pools = pools;
    this.admission = admission;
  }

  public void addTo(Routes routes) {
    routes
        .get("/api/v1/workloads/{workloadId}/explain", "explain_workload", this::explain)
        .needs(Action.READ, WORKLOADS);
  }

  private Answer explain(Call call) {
    var found = Found.of(state, call.caller(), call.path("workloadId"));
    var phase = WorkloadView.phase(found);
    var roles = new ArrayList<Object>();
    for (var role : PodRoles.of(found.workload()).all()) {
      roles.add(
          Tree.of(
              "role", role.name(),
              "pods", role.count(),
              "expressions", expressions(found, role),
              "nodes", nodes(found, role)));
    }
    var explanation =
        Tree.of(
            "workloadId", found.id(),
            "phase", phase,
            "reason", found.workload().textOrEmpty("status", "phaseMessage"),
            "summary", summary(found, phase),
            "roles", roles);
    if (isWaiting(phase)) {
      addQueue(explanation, found, call);
    }
    return Answer.json(200, explanation);
  }

  private static boolean isWaiting(String phase) {
    return phase.equals("Pending") || phase.equals("Creating");
  }

  private static String summary(Found found, String phase) {
    var reason = found.workload().textOrEmpty("status", "phaseMessage");
    if (!isWaiting(phase)) {
      var where = found.workload().list("status", "currentNodePools");
      return where.isEmpty()
          ? "It is " + phase + "."
          : "It is %s in node pool %s.".formatted(phase, where.getFirst());
    }
    return reason.isEmpty() ? "It waits for its pods to be placed." : "It waits: " + reason;
  }

  /// Where it stands in line, who of those ahead the caller may know, and what would help.
  private void addQueue(Tree explanation, Found found, Call call) {
    var waiting = admission.findWaiting(found.id());
    if (waiting.isEmpty()) {
      return;
    }
    var ahead = new ArrayList<Object>();
    var visible = Found.visible(state, call.caller(), false);
    for (var id : waiting.get().ahead()) {
      visible.stream().filter(seen -> seen.id().equals(id)).forEach(seen -> ahead.add(seen.name()));
    }
    var obstacles = new ArrayList<Object>();
    for (var refusal : waiting.get().refusals()) {
      obstacles.add(Tree.of("nodePool", refusal.pool(), "reason", refusal.message()));
    }
    explanation
        .put(
            "queue",
            Tree.of("position", waiting.get().position(), "ahead", ahead, "obstacles", obstacles))
        .put("suggestions", new ArrayList<Object>(admission.suggestions(found.id())));
  }

  /// Every expression of the merged affinity, and who asked for it.
  private List<Object> expressions(Found found, PodRoles.Role role) {
    var user = role.spec().trees("nodeAffinityRequired", "nodeSelectorTerms");
    var all = new ArrayList<Object>();
    for (var term : found.workload().trees("status", "placements", role.name(), "terms")) {
      for (var expression : term.trees("matchExpressions")) {
        boolean own =
            user.stream().anyMatch(each -> each.trees("matchExpressions").contains(expression));
        var entry =
            Tree.of(
                "expression", expression, "source", own ? "user or policy" : source(expression));
        if (!all.contains(entry)) {
          all.add(entry);
        }
      }
    }
    if (role.spec().has("nodeType")) {
      all.add(
          Tree.of(
              "expression",
              Tree.of(
                  "key",
                  "run.ai/type",
                  "operator",
                  "In",
                  "values",
                  List.of(role.spec().textOrEmpty("nodeType"))),
              "source",
              "node type"));
    }
    return all;
  }

  private String source(Tree expression) {
    boolean ofPool =
        pools.all().stream().anyMatch(pool -> pool.label().equals(expression.text("key")));
    return ofPool || expression.textOrEmpty("key").equals(NodePools.POOL_LABEL)
        ? "pool"
        : "platform";
  }

  /// Every node, and the first thing in its way.
  private List<Object> nodes(Found found, PodRoles.Role role) {
    var terms = found.workload().trees("status", "placements", role.name(), "terms");
    var requested = found.workload().list("status", "placements", role.name(), "pools");
    var byNode = pools.poolsByNode();
    var nodes = new ArrayList<Object>();
    for (var node : state.table(Resource.NODES).all()) {
      var name = Projects.name(node);
      var pool = byNode.getOrDefault(name, NodePools.DEFAULT);
      String obstacle = null;
      String source = null;
      if (!requested.contains(pool)) {
        obstacle = "it is in node pool %s".formatted(pool);
        source = "pool";
      } else if (!Affinities.matches(terms, node)) {
        obstacle = "it does not match the required node affinity";
        source = "user or policy";
      } else if (role.spec().has("nodeType")
          && !role.spec()
              .textOrEmpty("nodeType")
              .equals(node.at("metadata", "labels", "run.ai/type"))) {
        obstacle = "its node type is another";
        source = "node type";
      } else if (node.flag("spec", "unschedulable")) {
        obstacle = "it is cordoned";
        source = "node";
      }
      nodes.add(
          obstacle == null
              ? Tree.of("node", name, "matches", true)
              : Tree.of("node", name, "matches", false, "obstacle", obstacle, "source", source));
    }
    return nodes;
  }
}
