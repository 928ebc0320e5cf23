package io.berth.quota.decide;

import io.berth.quota.Amounts;
import io.berth.quota.Counted;
import io.berth.quota.Situation;
import io.berth.quota.decide.Division.Claim;
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
      usage.put(queue, used);
      if (queue.parent != null) {
        usage.merge(queue.parent, used, Amounts::plus);
      }
    });
  }

  void compute() {
    for (var resource : Counted.values()) {
      int r = resource.index();
      var wanted = new HashMap<Queue, Long>();
      // A department without projects wants nothing, however much it deserves.
      pool.departments.forEach(department -> wanted.put(department, 0L));
      for (var project : pool.projects.values()) {
        wanted.put(project, project.wanted(r));
        if (project.parent != null) {
          wanted.merge(project.parent, project.wanted(r), Amounts::add);
        }
      }
      for (var department : pool.departments) {
        wanted.merge(department, department.limit[r], Math::min);
      }
      divide(resource, pool.total[r], pool.departments, wanted);
      for (var department : pool.departments) {
        divide(resource, department.fairShare[r], childrenOf(department), wanted);
      }
    }
  }

  private List<Queue> childrenOf(Queue department) {
    var children = new ArrayList<Queue>();
    for (var project : pool.projects.values()) {
      if (department.equals(project.parent)) {
        children.add(project);
      }
    }
    return children;
  }

  private void divide(Counted resource, long total, List<Queue> queues, Map<Queue, Long> wanted) {
    int r = resource.index();
    var claims = new ArrayList<Claim>();
    for (var queue : queues) {
      var weight = weight(queue, resource, queues);
      claims.add(new Claim(queue.deserved[r], wanted.getOrDefault(queue, 0L), weight, queue.rank));
    }
    var shares = Division.divide(total, resource.unit(), claims);
    for (int i = 0; i < shares.length; i++) {
      queues.get(i).fairShare[r] = shares[i];
    }
  }

  /// The weight, moved by how far past use is from it: `max(0, w + k·(w − u))`, where `w` and `u`
  /// are parts of all weights and of all use of the rank. Multiplied out, so that it stays a whole
  /// number.
  private BigInteger weight(Queue queue, Counted resource, Collection<Queue> siblings) {
    int r = resource.index();
    var own = BigInteger.valueOf(queue.weight[r]);
    var factor = pool.config.historyWeightMillis();
    if (factor == null) {
      return own;
    }
    var weights = BigInteger.ZERO;
    var uses = BigInteger.ZERO;
    for (var sibling : siblings) {
      if (sibling.rank == queue.rank) {
        weights = weights.add(BigInteger.valueOf(sibling.weight[r]));
        uses = uses.add(used(sibling, resource));
      }
    }
    if (uses.signum() == 0) {
      return own;
    }
    var expected = own.multiply(uses);
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
