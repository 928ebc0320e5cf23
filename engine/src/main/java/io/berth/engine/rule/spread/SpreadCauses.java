package io.berth.engine.rule.spread;

import io.berth.engine.Blame;
import io.berth.engine.Cause;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.Importance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which hard constraints a pod would violate, and the pods that are there already: once for all
/// nodes of the same domains.
final class SpreadCauses implements Causes {

  private static final String RULE = "PodTopologySpread";

  private final SpreadConstraint[] constraints;
  private final SpreadTest test;
  private final ClusterModel cluster;
  private final Map<List<Integer>, Why> known = new HashMap<>();
  private final List<Map<Integer, List<RunningPod>>> counted = new ArrayList<>();

  SpreadCauses(SpreadConstraint[] constraints, ClusterModel cluster) {
    this.constraints = constraints;
    this.cluster = cluster;
    this.test = new SpreadTest(constraints, cluster);
  }

  @Override
  public Why of(int node) {
    var domains = new ArrayList<Integer>();
    for (var constraint : constraints) {
      domains.add(constraint.topology().domainOf(node));
    }
    return known.computeIfAbsent(domains, _ -> why(node));
  }

  private Why why(int node) {
    test.verdict(node);
    var causes = new ArrayList<Cause>();
    var skewed = new ArrayList<Integer>();
    boolean missing = false;
    for (int c = 0; c < constraints.length; c++) {
      var constraint = constraints[c];
      int here = test.here(c);
      if (here == SpreadVerdict.MISSING) {
        missing = true;
        causes.add(cause(constraint, "a label " + constraint.topology().key(), "none"));
      } else if (constraint.isSkewed(here, test.fewest(c, here))) {
        skewed.add(c);
        causes.add(cause(constraint, wanted(constraint), found(c, node, here)));
      }
    }
    return new Why(causes, missing || skewed.isEmpty() ? null : blame(node, skewed));
  }

  private static Cause cause(SpreadConstraint constraint, String wanted, String found) {
    return new Cause(RULE, constraint.field(), constraint.source(), wanted, found);
  }

  private static String wanted(SpreadConstraint constraint) {
    return "maxSkew %d over %s".formatted(constraint.maxSkew(), constraint.topology().key());
  }

  private String found(int c, int node, int here) {
    var topology = constraints[c].topology();
    int domains = test.domains(c);
    return "%d matching pods where %s=%s, %s"
        .formatted(
            here,
            topology.key(),
            topology.value(topology.domainOf(node)),
            domains < constraints[c].minDomains()
                ? "and %d of at least %d domains".formatted(domains, constraints[c].minDomains())
                : "%d where there are fewest".formatted(test.fewest(c, here)));
  }

  /// As many of the least important pods of each domain as are too many.
  private @Nullable Blame blame(int node, List<Integer> skewed) {
    if (constraints.length == 1) {
      int here = test.here(0);
      return Importance.blame(leastImportant(0, node, excess(0, here, test.fewest(0, here))));
    }
    return new SpreadBlame(constraints, test, node, this::podsNear).find(skewed);
  }

  private int excess(int c, int here, int fewest) {
    return here + constraints[c].selfMatch() - fewest - constraints[c].maxSkew();
  }

  private List<RunningPod> leastImportant(int c, int node, int count) {
    return Importance.least(podsNear(c, node), count);
  }

  /// The pods that the c-th constraint counts in the node's domain.
  private List<RunningPod> podsNear(int c, int node) {
    while (counted.size() < constraints.length) {
      counted.add(count(constraints[counted.size()]));
    }
    return counted.get(c).getOrDefault(constraints[c].topology().domainOf(node), List.of());
  }

  private Map<Integer, List<RunningPod>> count(SpreadConstraint constraint) {
    var byDomain = new HashMap<Integer, List<RunningPod>>();
    var nodes = cluster.nodes();
    for (int node = 0; node < nodes.limit(); node++) {
      if (!nodes.isPresent(node)
          || constraint.podsOn(node) == 0
          || !SpreadConstraint.hasAllKeys(constraints, node)
          || !constraint.includes(node)) {
        continue;
      }
      int domain = constraint.topology().domainOf(node);
      var pods = nodes.pods(node);
      for (int i = 0; i < pods.size() && domain != Topology.NONE; i++) {
        if (constraint.counts(pods.get(i).shape())) {
          byDomain.computeIfAbsent(domain, _ -> new ArrayList<>()).add(pods.get(i));
        }
      }
    }
    return byDomain;
  }
}
