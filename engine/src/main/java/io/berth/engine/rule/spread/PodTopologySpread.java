package io.berth.engine.rule.spread;

import io.berth.api.Pod;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.Causes;
import io.berth.engine.rule.FilterForm;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.ScoreForm;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Summands;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.EnumSet;
import java.util.Set;

/// Spreads pods over the values of a node label: by filter where they must, by score where they
/// should.
public final class PodTopologySpread implements FilterRule, ScoreRule {

  public static final Verdict.Unfit SKEWED =
      Verdict.unschedulable("node(s) didn't match pod topology spread constraints");
  public static final Verdict.Unfit LABEL_MISSING =
      Verdict.unresolvable(
          "node(s) didn't match pod topology spread constraints (missing required label)");

  private final PodTopologySpreadArgs args;

  public PodTopologySpread(PodTopologySpreadArgs args) {
    this.args = args;
  }

  @Override
  public String name() {
    return "PodTopologySpread";
  }

  @Override
  public Causes causesFor(Shape shape, ClusterModel cluster) {
    return new SpreadCauses(hard(shape, cluster), cluster);
  }

  @Override
  public Set<Kind> wakes() {
    return EnumSet.of(
        Kind.ASSIGNED_POD_ADD,
        Kind.ASSIGNED_POD_UPDATE_LABEL,
        Kind.ASSIGNED_POD_DELETE,
        Kind.TARGET_POD_UPDATE_TOLERATION,
        Kind.TARGET_POD_UPDATE_LABEL,
        Kind.NODE_ADD,
        Kind.NODE_DELETE,
        Kind.NODE_UPDATE_LABEL,
        Kind.NODE_UPDATE_TAINT);
  }

  @Override
  public boolean helps(Pod pod, ClusterEvent event, ClusterModel cluster) {
    return SpreadHints.help(pod, event);
  }

  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.CLUSTER);
  }

  @Override
  public NodeTest testFor(Shape shape, ClusterModel cluster) {
    var constraints = hard(shape, cluster);
    return constraints.length == 0 ? NodeTest.ALL : new SpreadTest(constraints, cluster);
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var constraints = soft(shape, cluster);
    return constraints.length == 0
        ? NodeScore.SKIP
        : new SpreadScore(constraints, requiresAllKeys(shape), cluster);
  }

  @Override
  public Summands summandsFor(Shape shape, ClusterModel cluster, int[] feasible) {
    var score = new SpreadScore(soft(shape, cluster), requiresAllKeys(shape), cluster);
    score.begin(feasible);
    return score::summands;
  }

  @Override
  public FilterForm filterForm(Shape shape, ClusterModel cluster) {
    var premise = new SpreadPremise(shape, cluster);
    var constraints = hard(shape, cluster);
    return constraints.length == 0
        ? new FilterForm.Silent(premise)
        : new FilterForm.ByDomain(new SpreadGroupTest(constraints, cluster), premise);
  }

  @Override
  public ScoreForm scoreForm(Shape shape, ClusterModel cluster) {
    var premise = new SpreadPremise(shape, cluster);
    var constraints = soft(shape, cluster);
    if (constraints.length == 0) {
      return new ScoreForm.Silent(premise);
    }
    boolean allKeys = requiresAllKeys(shape);
    if (!allKeys && hasEmptyDomain(constraints)) {
      return ScoreForm.LONG_WAY;
    }
    return new ScoreForm.ByDomain(
        new SpreadGroupScore(constraints, allKeys, cluster),
        allKeys ? premise : () -> premise.holds() && !hasEmptyDomain(constraints));
  }

  // Where nodes without a key are scored, they share a domain with those whose value is empty.
  private static boolean hasEmptyDomain(SpreadConstraint[] constraints) {
    for (var constraint : constraints) {
      if (constraint.topology().emptyDomain() != Topology.NONE) {
        return true;
      }
    }
    return false;
  }

  public SpreadConstraint[] hard(Shape shape, ClusterModel cluster) {
    return SpreadConstraint.of(shape, args, true, cluster);
  }

  public SpreadConstraint[] soft(Shape shape, ClusterModel cluster) {
    return SpreadConstraint.of(shape, args, false, cluster);
  }

  /// With Kubernetes' own default constraints, nodes that lack a label are scored all the same.
  public boolean requiresAllKeys(Shape shape) {
    return !shape.spec().topologySpreadConstraints().isEmpty() || !args.systemDefaults();
  }
}
