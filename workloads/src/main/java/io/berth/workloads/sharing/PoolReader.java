package io.berth.workloads.sharing;

import io.berth.api.Requirement;
import io.berth.quota.NodePool;
import io.berth.workloads.org.NodePools;
import io.berth.workloads.org.NodePools.Pool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Node pools as the arbiter sees them.
final class PoolReader {

  private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|[smhdw])");

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
    var scheduling = pool.object().treeOrEmpty("spec", "schedulingConfiguration");
    boolean spreads = scheduling.textOrEmpty("placementStrategy", "gpu").equals("spread");
    return new NodePool(
        pool.name(),
        clauses,
        spreads ? NodePool.Strategy.SPREAD : NodePool.Strategy.BINPACK,
        duration(scheduling.textOrEmpty("minGuaranteedRuntime")),
        NodePool.DEFAULT_PATIENCE,
        NodePool.DEFAULT_STALE_GRACE,
        historyWeight(pool));
  }

  private static @Nullable Long historyWeight(Pool pool) {
    return null;
  }

  /// `5d8h40m`; what cannot be read is no time at all.
  static Duration duration(String text) {
    var total = Duration.ZERO;
    var matcher = PART.matcher(text);
    while (matcher.find()) {
      long number = Long.parseLong(matcher.group(1));
      total =
          total.plus(
              switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(number);
                case "s" -> Duration.ofSeconds(number);
                case "m" -> Duration.ofMinutes(number);
                case "h" -> Duration.ofHours(number);
                case "d" -> Duration.ofDays(number);
                default -> Duration.ofDays(7 * number);
              });
    }
    return total;
  }
}
