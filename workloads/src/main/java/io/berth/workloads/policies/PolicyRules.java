package io.berth.workloads.policies;

import io.berth.api.Tree;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.asset.Assets;
import io.berth.workloads.door.Rules;
import io.berth.workloads.http.Refusal;
import io.berth.workloads.policy.Policy;
import io.berth.workloads.policy.PolicyCheck;
import io.berth.workloads.state.State;
import io.berth.workloads.types.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// What a policy must be: of a type, for a scope that exists, and making sense there.
public final class PolicyRules implements Rules {

  private static final List<String> GIVEN =
      List.of("id", "tenantId", "createdBy", "createdAt", "updatedBy", "updatedAt");

  private final State state;
  private final Scopes scopes;
  private final Policies policies;
  private final Assets assets;

  public PolicyRules(State state, Scopes scopes, Policies policies, Assets assets) {
    this.state = state;
    this.scopes = scopes;
    this.policies = policies;
    this.assets = assets;
  }

  @Override
  public void check(Tree object, @Nullable Tree old) {
    var type = PolicyType.listed(object.textOrEmpty("spec", "type"));
    var meta = object.treeOrEmpty("spec", "meta").copy();
    GIVEN.forEach(meta::remove);
    Types.REQUESTS.check("PolicyCreationFields", meta);
    var scope = scopeOf(meta);
    checkScope(scope);
    var name = Policies.name(type, scope);
    if (!name.equals(object.textOrEmpty("metadata", "name"))) {
      throw Refusal.badRequest(
          "Bad request - name: the %s policy of this scope is named \"%s\""
              .formatted(object.textOrEmpty("spec", "type"), name));
    }
    var policy = object.treeOrEmpty("spec").get("policy");
    if (policy != null && !(policy instanceof Tree)) {
      throw Refusal.badRequest("Bad request - field \"policy\" must be an object");
    }
    validate(type, scope, object.treeOrEmpty("spec", "policy"));
  }

  @Override
  public void checkDeletion(Tree object) {}

  @Override
  public boolean isTakenIn(Tree object) {
    return Policies.isTakenIn(object);
  }

  @Override
  public Tree takenIn(Tree object) {
    if (!isTakenIn(object)) {
      var meta = object.treeOrEmpty("spec", "meta");
      object.child("spec").put("meta", meta(scopeOf(meta), meta, null, "kubectl"));
    }
    return object;
  }

  void checkScope(Scope scope) {
    if (!scopes.exists(scope)) {
      throw Refusal.badRequest(
          "Bad request - there is no %s \"%s\"".formatted(scope.level().text(), scope.id()));
    }
  }

  Tree meta(Scope scope, Tree asked, @Nullable Tree stored, String by) {
    var now = state.times().now();
    var before = stored == null ? new Tree() : stored.treeOrEmpty("spec", "meta");
    var meta =
        Tree.of(
            "id",
            before.text("id") == null ? UUID.randomUUID().toString() : before.text("id"),
            "name",
            asked.textOrEmpty("name"),
            "tenantId",
            state.tenantId(),
            "createdBy",
            before.text("createdBy") == null ? by : before.text("createdBy"),
            "createdAt",
            before.text("createdAt") == null ? now : before.text("createdAt"),
            "updatedBy",
            by,
            "updatedAt",
            now);
    Policies.source(scope).fields().forEach(meta::put);
    return meta;
  }

  /// A policy must make sense by itself, and leave alone what a broader scope has settled.
  void validate(PolicyType type, Scope scope, Tree policy) {
    var problems = new ArrayList<>(PolicyCheck.problems(type.fields(), policy));
    if (problems.isEmpty()) {
      problems.addAll(defaults(type, policy));
      problems.addAll(
          PolicyCheck.conflicts(type.fields(), Policy.of(policy), policies.broader(type, scope)));
      for (var id : Policy.of(policy).imposedAssets().all()) {
        assets.findObjection(id, scope).ifPresent(what -> problems.add("imposedAssets: " + what));
      }
    }
    if (!problems.isEmpty()) {
      throw Refusal.badRequest(String.join("; ", problems));
    }
  }

  /// Defaults that no request may have.
  private static List<String> defaults(PolicyType type, Tree policy) {
    return Types.REQUESTS.problems(type.defaultsType(), policy.treeOrEmpty("defaults")).stream()
        // Which fields there are is known better to the check before.
        .filter(problem -> problem.startsWith("field "))
        .map(problem -> "The default of " + problem)
        .toList();
  }

  Scope scopeOf(Tree meta) {
    var project = meta.get("projectId");
    return scope(
        meta.textOrEmpty("scope"),
        meta.textOrEmpty("clusterId"),
        meta.textOrEmpty("departmentId"),
        project == null ? "" : String.valueOf(project));
  }

  Scope scope(String level, String cluster, String department, String project) {
    var at =
        Level.of(level.substring(level.lastIndexOf('.') + 1).toLowerCase(java.util.Locale.ROOT));
    return switch (at) {
      case SYSTEM -> throw Refusal.badRequest("policies of the system cannot be changed");
      case TENANT -> scopes.tenant();
      case CLUSTER -> cluster.isEmpty() ? scopes.cluster() : new Scope(at, cluster);
      case DEPARTMENT -> new Scope(at, needed("departmentId", department));
      case PROJECT -> new Scope(at, needed("projectId", project));
    };
  }

  private static String needed(String name, String value) {
    if (value.isEmpty()) {
      throw Refusal.badRequest("Required parameter is missing: " + name);
    }
    return value;
  }
}
