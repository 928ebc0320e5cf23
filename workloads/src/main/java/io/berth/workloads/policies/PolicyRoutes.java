package io.berth.workloads.policies;

import static io.berth.workloads.access.ResourceType.POLICIES;

import io.berth.api.Tree;
import io.berth.workloads.access.Action;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.door.Door;
import io.berth.workloads.http.Answer;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.policy.Policy;
import io.berth.workloads.rest.Call;
import io.berth.workloads.rest.Routes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.Conditions;
import io.berth.workloads.state.State;
import io.berth.workloads.types.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `/api/v2/policy`
public final class PolicyRoutes {

  private static final String BASE = "/api/v2/policy";

  private final State state;
  private final Policies policies;
  private final PolicyRules rules;

  public PolicyRoutes(State state, Policies policies, PolicyRules rules) {
    this.state = state;
    this.policies = policies;
    this.rules = rules;
  }

  public void addTo(Routes routes) {
    routes
        .get(BASE, "list_policies", this::list)
        .needs(Action.READ, POLICIES)
        .query(
            "workloadType",
            "scope",
            "departmentId",
            "projectId",
            "clusterId",
            "includeFallbackPolicies");
    for (var type : PolicyType.values()) {
      var path = BASE + "/" + type.path();
      var name = type.path().replace('-', '_') + "_policy";
      routes
          .get(path, "get_" + name, call -> get(type, call))
          .needs(Action.READ, POLICIES)
          .query("scope*", "departmentId", "projectId", "clusterId");
      routes
          .put(path, "overwrite_" + name, call -> overwrite(type, call))
          .needs(Action.UPDATE, POLICIES)
          .query("validateOnly", "approveClusterDeletion")
          .takes(type.overwriteType())
          .answers(200);
      routes
          .patch(path, "update_" + name, call -> update(type, call))
          .needs(Action.UPDATE, POLICIES)
          .query("validateOnly", "approveClusterDeletion")
          .takes(type.changeType())
          .answers(200);
      routes
          .delete(path, "delete_" + name, call -> delete(type, call))
          .needs(Action.DELETE, POLICIES)
          .query("scope*", "departmentId", "projectId", "clusterId", "approveClusterDeletion")
          .answers(204);
    }
  }

  // ---- reading ---------------------------------------------------------------------------------

  private Answer list(Call call) {
    var type = call.parameter("workloadType");
    var wanted = type.isEmpty() ? null : PolicyType.named(type);
    var level = call.parameter("scope").isEmpty() ? null : Level.of(call.parameter("scope"));
    var listed = new ArrayList<Object>();
    for (var policy : policies.all()) {
      var scope = rules.scopeOf(policy.treeOrEmpty("spec", "meta"));
      if (call.caller().sees(POLICIES, scope)
          && (wanted == null || policy.textOrEmpty("spec", "type").equals(wanted.listed()))
          && (level == null || scope.level() == level)
          && isAskedFor(policy, call)) {
        listed.add(
            Tree.of(
                "type", policy.text("spec", "type"),
                "meta", policy.tree("spec", "meta"),
                "status", status(policy)));
      }
    }
    return Answer.json(200, Tree.of("policies", listed));
  }

  private static boolean isAskedFor(Tree policy, Call call) {
    for (var field : List.of("departmentId", "projectId", "clusterId")) {
      var wanted = call.parameter(field);
      if (!wanted.isEmpty() && !wanted.equals(String.valueOf(policy.at("spec", "meta", field)))) {
        return false;
      }
    }
    return true;
  }

  private Tree status(Tree policy) {
    var problem = Conditions.refusal(policy, Door.ACCEPTED);
    var cluster = Tree.of("clusterId", state.clusterId());
    return problem.isEmpty()
        ? Tree.of("clusters", List.of(cluster.put("status", "Ready")), "validation", Tree.of())
        : Tree.of(
            "clusters", List.of(cluster.put("status", "Failed").put("errorMessage", problem)),
            "validation", Tree.of("errorMessage", problem));
  }

  private Answer get(PolicyType type, Call call) {
    var scope = asked(call);
    permit(call, Action.READ, scope);
    return Answer.json(200, view(type, scope, policies.find(type, scope).orElse(null)));
  }

  private Tree view(PolicyType type, Scope scope, @Nullable Tree stored) {
    var effective = policies.effective(type, scope);
    return Tree.of(
        "meta", stored == null ? null : stored.tree("spec", "meta"),
        "policy", stored == null ? null : stored.tree("spec", "policy"),
        "effective", effective.tree(),
        "effectiveUpdatedAt", stored == null ? null : stored.text("spec", "meta", "updatedAt"));
  }

  // ---- writing ---------------------------------------------------------------------------------

  private Answer overwrite(PolicyType type, Call call) {
    var body = checked(call);
    var scope = rules.scopeOf(body.treeOrEmpty("meta"));
    permit(call, Action.UPDATE, scope);
    return write(type, scope, body, body.treeOrEmpty("policy"), call);
  }

  private Answer update(PolicyType type, Call call) {
    var body = checked(call);
    var scope = rules.scopeOf(body.treeOrEmpty("meta"));
    permit(call, Action.UPDATE, scope);
    var stored =
        policies.find(type, scope).map(Policies::policyOf).orElseGet(() -> Policy.of(null));
    var reset = body.list("reset").stream().map(String::valueOf).toList();
    return write(type, scope, body, stored.changed(body.tree("policy"), reset).tree(), call);
  }

  private Answer write(PolicyType type, Scope scope, Tree body, Tree policy, Call call) {
    rules.validate(type, scope, policy);
    var stored = policies.find(type, scope).orElse(null);
    var spec =
        Tree.of(
            "type", type.listed(),
            "meta", rules.meta(scope, body.treeOrEmpty("meta"), stored, call.caller().name()),
            "policy", policy);
    if (call.flag("validateOnly")) {
      return Answer.json(200, view(type, scope, Tree.of("spec", spec)));
    }
    var table = state.table(BerthKinds.POLICIES);
    var name = Policies.name(type, scope);
    var written =
        stored == null
            ? table.create(Tree.of("metadata", Tree.of("name", name), "spec", spec))
            : table.change("", name, object -> object.put("spec", spec));
    return Answer.json(200, view(type, scope, written));
  }

  private Answer delete(PolicyType type, Call call) {
    var scope = asked(call);
    permit(call, Action.DELETE, scope);
    var stored = policies.find(type, scope).orElseThrow(Refusal::notFound);
    state.table(BerthKinds.POLICIES).delete(stored);
    return Answer.empty(204);
  }

  // ---- scopes ----------------------------------------------------------------------------------

  /// The body; what is in `policy` is judged by [PolicyCheck], in words of its own.
  private static Tree checked(Call call) {
    var body = call.body("");
    var meta = body.tree("meta");
    if (meta == null) {
      throw Refusal.badRequest("Bad request - field \"meta\" is required");
    }
    Types.REQUESTS.check("PolicyCreationFields", meta);
    if (body.has("policy") && body.tree("policy") == null) {
      throw Refusal.badRequest("Bad request - field \"policy\" must be an object");
    }
    return body;
  }

  private Scope asked(Call call) {
    return rules.scope(
        call.required("scope"),
        call.parameter("clusterId"),
        call.parameter("departmentId"),
        call.parameter("projectId"));
  }

  // Rights first: whether a unit exists is not for everybody to know.
  private void permit(Call call, Action action, Scope scope) {
    if (action == Action.UPDATE) {
      call.caller().requireOpenly(action, POLICIES, scope);
    } else {
      call.caller().require(action, POLICIES, scope);
    }
    rules.checkScope(scope);
  }
}
