package io.berth.workloads.policy;

import io.berth.api.Tree;
import io.berth.workloads.access.Scope;
import io.berth.workloads.access.Scope.Level;
import io.berth.workloads.access.Scopes;
import io.berth.workloads.state.BerthKinds;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Policies by scope and type, and what they come to together.
public final class Policies {

  private static final Tree SYSTEM =
      Tree.of(
              "defaults",
              Tree.of(
                  "security", Tree.of("privileged", false), "terminationGracePeriodSeconds", 30),
              "rules",
              Tree.of(
                  "security", Tree.of("privileged", Tree.of("canEdit", false)),
                  "terminationGracePeriodSeconds", Tree.of("max", 300)))
          .freeze();

  private final State state;
  private final Scopes scopes;

  public Policies(State state, Scopes scopes) {
    this.state = state;
    this.scopes = scopes;
  }

  /// What holds: defaults and rules, each rule with its source.
  public record Effective(PolicyType type, Tree defaults, Tree rules) {

    Tree tree() {
      return Tree.of("defaults", defaults, "rules", rules);
    }
  }

  /// The policy set at this very scope.
  Optional<Tree> find(PolicyType type, Scope scope) {
    return state.table(BerthKinds.POLICIES).find("", name(type, scope));
  }

  static String name(PolicyType type, Scope scope) {
    var unit = scope.level().compareTo(Level.CLUSTER) < 0 ? "" : "-" + scope.id();
    return type.path() + "-" + scope.level().text() + unit;
  }

  /// What holds in a scope, of its own policy and those above it.
  public Effective effective(PolicyType type, Scope scope) {
    var levels = new ArrayList<Map.Entry<Scope, Tree>>();
    for (var each : scopes.upwards(scope)) {
      if (each.level() == Level.SYSTEM && scope.level() != Level.SYSTEM) {
        levels.add(Map.entry(each, system(type)));
      } else {
        find(type, each)
            .ifPresent(found -> levels.add(Map.entry(each, found.treeOrEmpty("spec", "policy"))));
      }
    }
    return new Effective(type, defaults(type, levels), rules(type, levels));
  }

  /// The closest scope decides, field by field.
  private static Tree defaults(PolicyType type, List<Map.Entry<Scope, Tree>> closestFirst) {
    var merged = new Tree();
    for (var level : closestFirst.reversed()) {
      overlay(merged, level.getValue().treeOrEmpty("defaults"), sections(type));
    }
    return merged;
  }

  private static void overlay(Tree target, Tree source, List<String> sections) {
    source
        .fields()
        .forEach((name, value) -> {
          if (value instanceof Tree tree && sections.contains(name)) {
            overlay(target.child(name), tree, sections);
          } else {
            target.put(name, Tree.copyOf(value));
          }
        });
  }

  /// Objects whose fields are defaults of their own; all other objects are one value.
  private static List<String> sections(PolicyType type) {
    return List.of(
        "compute",
        "security",
        "storage",
        "master",
        "worker",
        "leader",
        "servingPort",
        "autoscaling",
        "servingConfiguration",
        type.listed());
  }

  private Tree rules(PolicyType type, List<Map.Entry<Scope, Tree>> closestFirst) {
    var byField = new LinkedHashMap<String, Rule>();
    var settled = new HashSet<String>();
    // From broad to narrow: a narrower rule replaces a broader one, unless that is the last word.
    for (var level : closestFirst.reversed()) {
      for (var rule : Rule.all(type.rulesType(), level.getValue().treeOrEmpty("rules"))) {
        if (!settled.contains(rule.field())) {
          var body = rule.body().copy().put("sourceOfRule", source(level.getKey()));
          byField.put(rule.field(), new Rule(rule.path(), body, rule.itemized()));
          if (rule.isBroadestFirst() || rule.body().flag("final")) {
            settled.add(rule.field());
          }
        }
      }
    }
    var merged = new Tree();
    byField.values().forEach(rule -> merged.putAt(rule.body(), rule.path().toArray(String[]::new)));
    return merged;
  }

  /// The scope above `scope` that has rules for a field of `compute` or `security` already.
  Optional<Scope> broaderOwner(PolicyType type, Scope scope, String field) {
    for (var each : scopes.upwards(scope)) {
      if (each.equals(scope) || each.level() == Level.SYSTEM) {
        continue;
      }
      var rules = find(type, each).map(found -> found.treeOrEmpty("spec", "policy", "rules"));
      if (rules.isPresent()
          && Rule.all(type.rulesType(), rules.get()).stream()
              .anyMatch(rule -> rule.isBroadestFirst() && rule.field().equals(field))) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

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

  /// The part of the shipped policy that this type of workload has fields for.
  private static Tree system(PolicyType type) {
    return switch (type) {
      case WORKSPACE, TRAINING -> SYSTEM;
      case DISTRIBUTED ->
          Tree.of(
              "defaults",
                  Tree.of("worker", SYSTEM.get("defaults"), "master", SYSTEM.get("defaults")),
              "rules", Tree.of("worker", SYSTEM.get("rules"), "master", SYSTEM.get("rules")));
      case INFERENCE, DISTRIBUTED_INFERENCE, NIM_SERVICE -> new Tree();
    };
  }
}
