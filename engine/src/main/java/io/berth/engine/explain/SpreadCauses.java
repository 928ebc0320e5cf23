package io.berth.engine.explain;

import io.berth.engine.Explanation.Cause;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.spread.SpreadConstraint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Which spread constraints a pod would violate on a node, and the pods that are there already.
final class SpreadCauses {

  private final SpreadConstraint[] constraints;
  private final ClusterModel cluster;

  SpreadCauses(SpreadConstraint[] constraints, ClusterModel cluster) {
    this.constraints = constraints;
    this.cluster = cluster;
  }

  void of(int node, List<Cause> causes) {
    for (var constraint : constraints) {
      var topology = constraint.topology();
      int domain = topology.domainOf(node);
      if (domain == Topology.NONE) {
        add(causes, AffinityCauses.place(node, topology), List.of());
      } else {
        skewed(constraint, domain, AffinityCauses.place(node, topology), causes);
      }
    }
  }

  private void skewed(SpreadConstraint constraint, int domain, String place, List<Cause> causes) {
    var counts = counts(constraint);
    int here = counts.getOrDefault(domain, 0);
    boolean enough = counts.size() >= constraint.minDomains();
    int fewest = enough ? counts.values().stream().mapToInt(each -> each).min().orElse(0) : 0;
    if (here + constraint.selfMatch() - fewest > constraint.maxSkew()) {
      var detail =
          "maxSkew %d over %s: %d matching pods where %s, %s"
              .formatted(
                  constraint.maxSkew(),
                  constraint.topology().key(),
                  here,
                  place,
                  enough
                      ? "%d where there are fewest".formatted(fewest)
                      : "and %d of at least %d domains"
                          .formatted(counts.size(), constraint.minDomains()));
      add(causes, detail, counted(constraint, domain));
    }
  }

  /// The matching pods of every domain that counts.
  private Map<Integer, Integer> counts(SpreadConstraint constraint) {
    var counts = new HashMap<Integer, Integer>();
    var nodes = cluster.nodes();
    for (int node = 0; node < nodes.limit(); node++) {
      if (nodes.isPresent(node) && isCounted(constraint, node)) {
        counts.merge(constraint.topology().domainOf(node), constraint.podsOn(node), Integer::sum);
      }
    }
    return counts;
  }

  private boolean isCounted(SpreadConstraint constraint, int node) {
    return SpreadConstraint.hasAllKeys(constraints, node) && constraint.includes(node);
  }

  private List<String> counted(SpreadConstraint constraint, int domain) {
    var keys = new ArrayList<String>();
    for (var pod : cluster.pods()) {
      if (cluster.nodes().isPresent(pod.node())
          && constraint.topology().domainOf(pod.node()) == domain
          && isCounted(constraint, pod.node())
          && constraint.counts(pod.shape())) {
        keys.add(pod.key());
      }
    }
    keys.sort(null);
    return keys;
  }

  private static void add(List<Cause> causes, String detail, List<String> pods) {
    causes.add(new Cause("PodTopologySpread", detail, pods));
  }
}
