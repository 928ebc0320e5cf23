package io.berth.workloads.serve;

import static io.berth.workloads.access.ResourceType.WORKLOADS;

import io.berth.answers.explain.Sight;
import io.berth.answers.live.LiveCluster;
import io.berth.api.Tree;
import io.berth.quota.Outcome.Waiting;
import io.berth.workloads.access.Action;
import io.berth.workloads.http.Answer;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.serve.RolePlacement.Judged;
import io.berth.workloads.sharing.Admission;
import io.berth.workloads.state.State;
import io.berth.workloads.submit.PodRoles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `GET /api/v1/workloads/{workloadId}/explain`: why a workload is where it is, in words.
public final class ExplainRoutes {

  private final State state;
  private final Admission admission;
  private final Sources sources;
  private final RolePlacement placement;
  private final NodeVerdicts verdicts;

  public ExplainRoutes(State state, NodePools pools, Admission admission, LiveCluster live) {
    this.state = state;
    this.admission = admission;
    this.sources = new Sources(state, pools);
    this.placement = new RolePlacement(state, live);
    this.verdicts = new NodeVerdicts(state, pools, sources);
  }

  public void addTo(Routes routes) {
    routes
        .get("/api/v1/workloads/{workloadId}/explain", "explain_workload", this::explain)
        .needs(Action.READ, WORKLOADS);
  }

  private Answer explain(Call call) {
    var found = Found.of(state, call.caller(), call.path("workloadId"));
    var phase = WorkloadView.phase(found);
    var discretion = new Discretion(state, call.caller());
    var sight = discretion.sight(found.scope());
    var roles = new ArrayList<Object>();
    var judged = new ArrayList<Judged>();
    for (var role : PodRoles.of(found.workload()).all()) {
      var answer =
          isOver(found, phase) ? Optional.<Judged>empty() : placement.of(found, role, sight);
      answer.ifPresent(judged::add);
      roles.add(role(found, role, answer, sight));
    }
    var waiting = admission.findWaiting(found.id());
    var explanation =
        Tree.of(
            "workloadId", found.id(),
            "phase", phase,
            "reason", found.workload().textOrEmpty("status", "phaseMessage"),
            "summary", summary(found, phase),
            "stages", Stages.of(found, waiting, judged),
            "roles", roles);
    if (isWaiting(phase) && waiting.isPresent()) {
      addQueue(explanation, found, waiting.get(), call);
    }
    return Answer.json(200, discretion.applied(explanation));
  }

  // What has ended, or was deleted, goes nowhere any more.
  private static boolean isOver(Found found, String phase) {
    return found.deletedAt() != null || phase.equals("Completed") || phase.equals("Failed");
  }

  private Tree role(Found found, PodRoles.Role role, Optional<Judged> judged, Sight sight) {
    var pools = found.workload().list("status", "placements", role.name(), "pools");
    var tree =
        Tree.of(
            "role",
            role.name(),
            "pods",
            role.count(),
            "nodePools",
            Tree.of("names", new ArrayList<>(pools), "source", sources.ofPools(found, role)),
            "expressions",
            expressions(found, role));
    return tree.put("nodes", nodes(found, role, judged, sight))
        .put("placement", judged.map(each -> verdicts.told(found, role, each)).orElse(null));
  }

  private List<Object> nodes(
      Found found, PodRoles.Role role, Optional<Judged> judged, Sight sight) {
    return judged.isPresent() && sight.nodes() ? verdicts.of(found, role, judged.get()) : List.of();
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
  private void addQueue(Tree explanation, Found found, Waiting waiting, Call call) {
    var ahead = new ArrayList<Object>();
    var visible = Found.visible(state, call.caller(), false);
    for (var id : waiting.ahead()) {
      visible.stream().filter(seen -> seen.id().equals(id)).forEach(seen -> ahead.add(seen.name()));
    }
    var obstacles = new ArrayList<Object>();
    for (var refusal : waiting.refusals()) {
      obstacles.add(Tree.of("nodePool", refusal.pool(), "reason", refusal.message()));
    }
    explanation
        .put(
            "queue",
            Tree.of("position", waiting.position(), "ahead", ahead, "obstacles", obstacles))
        .put("suggestions", new ArrayList<Object>(admission.suggestions(found.id())));
  }

  /// Every expression of the merged affinity, and who asked for it.
  private List<Object> expressions(Found found, PodRoles.Role role) {
    var all = new ArrayList<Object>();
    for (var term : found.workload().trees("status", "placements", role.name(), "terms")) {
      for (var expression : term.trees("matchExpressions")) {
        var entry =
            Tree.of("expression", expression, "source", sources.of(found, role, expression));
        if (!all.contains(entry)) {
          all.add(entry);
        }
      }
    }
    if (role.spec().has("nodeType")) {
      var type = role.spec().textOrEmpty("nodeType");
      all.add(
          Tree.of(
              "expression",
              Tree.of("key", "run.ai/type", "operator", "In", "values", List.of(type)),
              "source",
              sources.ofNodeType(found, role)));
    }
    return all;
  }
}
