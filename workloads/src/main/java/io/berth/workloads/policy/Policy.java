package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What stands in one policy: defaults and rules by field, and assets that every workload gets.
public record Policy(Tree defaults, Tree rules, ImposedAssets imposedAssets) {

  /// What is so unless somebody says otherwise, in every installation.
  public static final Policy SYSTEM =
      new Policy(
          Tree.of("security", Tree.of("privileged", false), "terminationGracePeriodSeconds", 30L),
          Tree.of(
              "security",
              Tree.of("privileged", Tree.of("canEdit", false)),
              "terminationGracePeriodSeconds",
              Tree.of("max", 300L)),
          ImposedAssets.NONE);

  public static Policy of(@Nullable Tree policy) {
    var tree = policy == null ? new Tree() : policy;
    return new Policy(
        tree.treeOrEmpty("defaults"),
        tree.treeOrEmpty("rules"),
        ImposedAssets.of(tree.get("imposedAssets")));
  }

  public Tree tree() {
    var tree = Tree.of("defaults", defaults.copy(), "rules", rules.copy());
    return tree.put("imposedAssets", imposedAssets.written());
  }

  /// The policy after a partial change: given fields replace, nulls and `reset` paths remove.
  public Policy changed(@Nullable Tree change, List<String> reset) {
    var next = tree();
    for (var path : reset) {
      remove(next.child("defaults"), path);
      remove(next.child("rules"), path);
    }
    if (change != null) {
      merge(next, change);
    }
    return of(next);
  }

  private static void remove(Tree tree, String path) {
    int dot = path.lastIndexOf('.');
    var parent = dot < 0 ? tree : tree.tree(path.substring(0, dot).split("\\.", -1));
    if (parent != null) {
      parent.remove(path.substring(dot + 1));
    }
  }

  private static void merge(Tree into, Tree change) {
    change
        .fields()
        .forEach((name, value) -> {
          if (value == null) {
            into.remove(name);
          } else if (value instanceof Tree tree && into.get(name) instanceof Tree) {
            merge(into.child(name), tree);
          } else {
            into.put(name, Tree.copyOf(value));
          }
        });
  }

  /// A policy and the unit of the organisation it stands at; `unit` is empty above clusters.
  public record At(Scope scope, String unit, Policy policy) {

    /// As answers name the origin of a rule.
    Tree source() {
      var source = Tree.of("scope", scope.text());
      return switch (scope) {
        case PROJECT -> source.put("projectId", Long.parseLong(unit));
        case DEPARTMENT -> source.put("departmentId", unit);
        case CLUSTER -> source.put("clusterId", unit);
        case TENANT, SYSTEM -> source;
      };
    }
  }
}
