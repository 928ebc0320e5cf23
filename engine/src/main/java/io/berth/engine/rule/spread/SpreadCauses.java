package io.berth.engine.rule.spread;

import io.berth.engine.Blame;
import io.berth.engine.Cause;
import io.berth.engine.model.ClusterModel;
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
  private final CountedPods counted;
  private final @Nullable NearbyBlame nearby;
  private final SpreadBlame.Patience patience = new SpreadBlame.Patience();
  private final Map<List<Integer>, Why> known = new HashMap<>();

  SpreadCauses(SpreadConstraint[] constraints, ClusterModel cluster) {
    this.constraints = constraints;
    this.test = new SpreadTest(constraints, cluster);
    this.counted = new CountedPods(constraints, cluster);
    this.nearby = NearbyBlame.of(constraints, test, counted);
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
    boolean skewed = false;
    boolean missing = false;
    for (int c = 0; c < constraints.length; c++) {
      var constraint = constraints[c];
      int here = test.here(c);
      if (here == SpreadVerdict.MISSING) {
        missing = true;
        causes.add(cause(constraint, "a label " + constraint.topology().key(), "none"));
      } else if (constraint.isSkewed(here, test.fewest(c, here))) {
        skewed = true;
        causes.add(cause(constraint, wanted(constraint), found(c, node, here)));
      }
    }
    return new Why(causes, missing || !skewed ? null : blame(node));
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
    var elsewhere =
        domains < constraints[c].minDomains()
            ? "and " + domains + " of at least " + constraints[c].minDomains() + " domains"
            : test.fewest(c, here) + " where there are fewest";
    var place = topology.key() + "=" + topology.value(topology.domainOf(node));
    return here + " matching pods where " + place + ", " + elsewhere;
  }

  /// As many of the least important pods of each domain as are too many.
  private @Nullable Blame blame(int node) {
    if (constraints.length == 1) {
      int here = test.here(0);
      int excess = constraints[0].excess(here, test.fewest(0, here));
      return Importance.blame(Importance.least(counted.near(0, node), excess));
    }
    return nearby == null
        ? new SpreadBlame(constraints, test, counted, node, patience).find()
        : nearby.on(node);
  }
}
