package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.Quota.Entitlement;
import io.berth.quota.Situation;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Works out the fair shares of a pool: departments divide it, then projects their department's
/// part.
final class FairShares {

  private final Pool pool;
  private final Map<Queue, Amounts> usage = new HashMap<>();

  FairShares(Pool pool, Situation situation) {
    this.pool = pool;
    var past = situation.usage().getOrDefault(pool.name(), Map.of());
    pool.projects.forEach((id, queue) -> {
      var used = past.getOrDefault(id, Amounts.ZERO);
      for (var each = queue; each != null; each = each.parent) {
        usage.merge(each, used, Amounts::plus);
      }
    });
  }

  void compute() {
    for (var resource : Counted.values()) {
      divide(resource, pool.total[resource.index()], pool.departments);
    }
    pool.queues().forEach(Queue::settle);
  }

  private void divide(Counted resource, long total, List<Queue> queues) {
    int r = resource.index();
    var claims = new ArrayList<Division.Claim>();
    for (var queue : queues) {
      var weight = weight(queue, resource, queues);
      // Whoever deserves without bounds deserves all there is, not more.
      long deserved = queue.deserved[r] == Entitlement.UNLIMITED ? total : queue.deserved[r];
      claims.add(new Division.Claim(deserved, queue.wanted(r), weight, queue.rank));
    }
    var shares = Division.divide(total, resource.unit(), claims);
    for (int i = 0; i < shares.length; i++) {
      queues.get(i).fairShare[r] = shares[i];
      divide(resource, shares[i], queues.get(i).children);
    }
  }

  /// The weight, moved by how far past use is from it: `max(0, w + k·(w − u))`, where `w` is a part
  /// of the weights of all in the rank who want more than they deserve, and `u` a part of all there
  /// is in the pool. Multiplied out, so that it stays a whole number.
  private BigInteger weight(Queue queue, Counted resource, Collection<Queue> siblings) {
    int r = resource.index();
    var own = BigInteger.valueOf(queue.weight[r]);
    var factor = pool.config.historyWeightMillis();
    if (factor == null || pool.total[r] == 0) {
      return own;
    }
    var weights = BigInteger.ZERO;
    for (var sibling : siblings) {
      if (sibling.rank == queue.rank && sibling.wanted(r) > sibling.deserved[r]) {
        weights = weights.add(BigInteger.valueOf(sibling.weight[r]));
      }
    }
    var expected = own.multiply(BigInteger.valueOf(pool.total[r]));
    var excess = expected.subtract(used(queue, resource).multiply(weights));
    return expected
        .multiply(BigInteger.valueOf(1000))
        .add(excess.multiply(BigInteger.valueOf(factor)))
        .max(BigInteger.ZERO);
  }

  private BigInteger used(Queue queue, Counted resource) {
    return BigInteger.valueOf(usage.getOrDefault(queue, Amounts.ZERO).of(resource));
  }
}
