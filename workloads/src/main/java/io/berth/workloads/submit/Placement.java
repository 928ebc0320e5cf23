package io.berth.workloads.submit;

import io.berth.api.Tree;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Where pods of one role may run: what the user asked for, crossed with the node pools.
///
/// `terms` is the required node affinity, pool by pool and within a pool term by term; the pool's
/// expression comes last. `domains` are labels whose value pods would rather share.
public record Placement(
    List<String> pools, List<Tree> terms, List<Tree> preferred, List<String> domains) {

  /// `platform` gives the expressions that hold in every term of a pool.
  static Placement of(
      Tree spec,
      List<Pool> pools,
      Function<Pool, List<Tree>> platform,
      List<Tree> alsoPreferred,
      List<String> domains,
      NodePools nodePools) {
    var userTerms = spec.trees("nodeAffinityRequired", "nodeSelectorTerms");
    var outer = userTerms.isEmpty() ? List.of(new Tree()) : userTerms;
    var terms = new ArrayList<Tree>();
    var names = new ArrayList<String>();
    for (var pool : pools) {
      if (pool.isBeingDeleted()) {
        continue;
      }
      names.add(pool.name());
      var poolExpressions = nodePools.expressions(pool);
      for (var term : outer) {
        terms.add(crossed(term, platform.apply(pool), poolExpressions));
      }
    }
    var preferred = new ArrayList<>(spec.trees("nodeAffinityPreferred"));
    preferred.addAll(alsoPreferred);
    return new Placement(names, terms, preferred, domains);
  }

  private static Tree crossed(Tree term, List<Tree> platform, List<Tree> pool) {
    var expressions = new ArrayList<Object>();
    for (var expression : term.trees("matchExpressions")) {
      expressions.add(expression.copy());
    }
    platform.forEach(expression -> expressions.add(expression.copy()));
    pool.forEach(expression -> expressions.add(expression.copy()));
    var crossed = Tree.of("matchExpressions", expressions);
    if (!term.trees("matchFields").isEmpty()) {
      crossed.put("matchFields", Tree.copyOf(term.get("matchFields")));
    }
    return crossed;
  }

  static Placement of(Tree stored) {
    return new Placement(
        stored.list("pools").stream().map(String::valueOf).toList(),
        stored.trees("terms"),
        stored.trees("preferred"),
        stored.list("domains").stream().map(String::valueOf).toList());
  }

  /// The pools that all roles of a workload may use, the best first: its pods go to one of them.
  public static List<String> poolsOf(Tree workload) {
    var roles = PodRoles.of(workload).all();
    var common = new ArrayList<String>();
    for (var role : roles) {
      var pools = of(workload.treeOrEmpty("status", "placements", role.name())).pools();
      if (role.equals(roles.getFirst())) {
        common.addAll(pools);
      }
      common.retainAll(pools);
    }
    return common;
  }

  public Tree tree() {
    var tree =
        Tree.of(
            "pools", new ArrayList<Object>(pools),
            "terms", new ArrayList<Object>(terms),
            "preferred", new ArrayList<Object>(preferred));
    return domains.isEmpty() ? tree : tree.put("domains", new ArrayList<Object>(domains));
  }
}
