package io.berth.workloads.policies;

import io.berth.api.Tree;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.asset.Assets;
import io.berth.workloads.door.Door;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.policy.EffectivePolicy;
import io.berth.workloads.policy.Policy;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.Conditions;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Policies by scope and type, and what they come to together.
public final class Policies {

  private final State state;
  private final Scopes scopes;
  private final Assets assets;

  public Policies(State state, Scopes scopes, Assets assets) {
    this.state = state;
    this.scopes = scopes;
    this.assets = assets;
  }

  /// The policy set at this very scope.
  Optional<Tree> find(PolicyType type, Scope scope) {
    return state.table(BerthKinds.POLICIES).find("", name(type, scope)).filter(Policies::isTakenIn);
  }

  List<Tree> all() {
    return state.table(BerthKinds.POLICIES).all().stream().filter(Policies::isTakenIn).toList();
  }

  /// Whether Berth has taken it in; until then it has no effect.
  static boolean isTakenIn(Tree policy) {
    return policy.text("spec", "meta", "id") != null;
  }

  /// What holds for a submission. A policy that was spoilt is no reason to let everything pass.
  public EffectivePolicy inForce(PolicyType type, Scope scope) {
    for (var each : scopes.upwards(scope)) {
      find(type, each)
          .ifPresent(policy -> {
            var problem = Conditions.refusal(policy, Door.ACCEPTED);
            if (!problem.isEmpty()) {
              throw Refusal.badRequest(
                  "policy \"%s\" cannot be applied until an administrator mends it: %s"
                      .formatted(name(type, each), problem));
            }
          });
    }
    var effective = effective(type, scope);
    effective
        .imposedAssets()
        .byRole()
        .forEach((role, ids) -> ids.forEach(id -> impose(effective, role, id)));
    return effective;
  }

  private void impose(EffectivePolicy effective, String role, String id) {
    var source =
        assets
            .findDataSource(id)
            .orElseThrow(() ->
                Refusal.badRequest(
                    "asset \"%s\", which a policy imposes, is gone; an administrator must mend the policy"
                        .formatted(id)));
    effective.impose(role.isEmpty() ? source.field() : role + "." + source.field(), source.item());
  }

  static String name(PolicyType type, Scope scope) {
    var unit = scope.level().compareTo(Level.CLUSTER) < 0 ? "" : "-" + scope.id();
    return type.path() + "-" + scope.level().text() + unit;
  }

  /// What holds in a scope, of its own policy and those above it.
  public EffectivePolicy effective(PolicyType type, Scope scope) {
    var all = broader(type, scope);
    find(type, scope).ifPresent(own -> all.add(at(scope, policyOf(own))));
    return EffectivePolicy.of(type.fields(), all);
  }

  /// The policies above a scope.
  List<Policy.At> broader(PolicyType type, Scope scope) {
    var all = new ArrayList<Policy.At>();
    for (var each : scopes.upwards(scope)) {
      if (each.level() == Level.SYSTEM) {
        all.add(at(each, system(type)));
      } else if (!each.equals(scope)) {
        find(type, each).ifPresent(found -> all.add(at(each, policyOf(found))));
      }
    }
    return all;
  }

  static Policy policyOf(Tree stored) {
    return Policy.of(stored.tree("spec", "policy"));
  }

  private static Policy.At at(Scope scope, Policy policy) {
    var level = io.berth.workloads.policy.Scope.valueOf(scope.level().name());
    return new Policy.At(
        level, scope.level().compareTo(Level.CLUSTER) < 0 ? "" : scope.id(), policy);
  }

  /// The shipped policy, for each role where a type has roles.
  private static Policy system(PolicyType type) {
    var system = Policy.SYSTEM;
    return switch (type) {
      case WORKSPACE, TRAINING, INFERENCE -> system;
      case DISTRIBUTED -> perRole(system, "worker", "master");
      case DISTRIBUTED_INFERENCE -> perRole(system, "leader", "worker");
    };
  }

  private static Policy perRole(Policy policy, String... roles) {
    var defaults = new Tree();
    var rules = new Tree();
    for (var role : roles) {
      defaults.put(role, policy.defaults());
      rules.put(role, policy.rules());
    }
    return new Policy(defaults, rules, policy.imposedAssets());
  }

  /// As answers name the unit a policy or a rule comes from.
  static Tree source(Scope scope) {
    var source = Tree.of("scope", scope.level().text());
    switch (scope.level()) {
      case SYSTEM, TENANT -> {}
      case CLUSTER -> source.put("clusterId", scope.id());
      case DEPARTMENT -> source.put("departmentId", scope.id());
      case PROJECT -> source.put("projectId", Long.parseLong(scope.id()));
    }
    return source;
  }
}
