package io.berth.engine.rule.spread;

import io.berth.api.PluginArgs;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.FilterRule;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.Watch;
import java.util.Set;

/// Spreads pods over the values of a node label: by filter where they must, by score where they
/// should.
public final class PodTopologySpread implements FilterRule, ScoreRule {

  public static final Verdict.Unfit SKEWED =
      Verdict.unschedulable("node(s) didn't match pod topology spread constraints");
  public static final Verdict.Unfit LABEL_MISSING =
      Verdict.unresolvable(
          "node(s) didn't match pod topology spread constraints (missing required label)");

  private final PluginArgs.PodTopologySpread args;

  public PodTopologySpread(PluginArgs.PodTopologySpread args) {
    this.args = args;
  }

  @Override
  public String name() {
    return "PodTopologySpread";
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
