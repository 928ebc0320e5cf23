package io.berth.workloads.sharing;

import io.berth.api.Requirement;
import io.berth.api.Tree;
import io.berth.quota.NodePool;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Node pools as the arbiter sees them.
final class PoolReader {

  private final NodePools pools;

  PoolReader(NodePools pools) {
    this.pools = pools;
  }

  NodePool read(Pool pool) {
    var clauses = new ArrayList<Requirement>();
    for (var expression : pools.expressions(pool)) {
      clauses.add(
          new Requirement(
              expression.textOrEmpty("key"),
              expression.textOrEmpty("operator"),
              expression.list("values").stream().map(String::valueOf).toList()));
    }
    return new NodePool(
        pool.name(),
        clauses,
        strategy(pool),
        pool.guaranteedRuntime(),
        NodePool.DEFAULT_PATIENCE,
        NodePool.DEFAULT_STALE_GRACE,
        historyWeight(pool));
  }

  private static Tree scheduling(Pool pool) {
    return pool.object().treeOrEmpty("spec", "schedulingConfiguration");
  }

  /// How GPUs are placed; older clients give it at the top.
  private static NodePool.Strategy strategy(Pool pool) {
    var own = scheduling(pool).textOrEmpty("placementStrategy", "gpu");
    var older = pool.object().textOrEmpty("spec", "placementStrategy", "gpu");
    return (own.isEmpty() ? older : own).equals("spread")
        ? NodePool.Strategy.SPREAD
        : NodePool.Strategy.BINPACK;
  }

  private static @Nullable Long historyWeight(Pool pool) {
    var history = history(pool);
    if (history == null) {
      return null;
    }
    return history.get("historicalUsageWeight") instanceof Number weight
        ? Math.round(weight.doubleValue() * 1000)
        : 1000L;
  }

  /// How past use counts in this pool, or `null` where it does not.
  static @Nullable Tree history(Pool pool) {
    var history = scheduling(pool).tree("timeBasedFairShare");
    return history != null && history.flag("enabled") ? history : null;
  }
}
