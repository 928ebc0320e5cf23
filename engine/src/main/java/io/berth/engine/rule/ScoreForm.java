package io.berth.engine.rule;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;

/// What the engine may keep of a score between decisions about one shape, and what that rests on.
public sealed interface ScoreForm {

  ScoreForm SILENT = new Silent(Premise.ALWAYS);
  ScoreForm LONG_WAY = new LongWay();

  /// Scores no node, or all alike.
  record Silent(Premise premise) implements ScoreForm {}

  /// A node's own business: its raw score is from 0 to 100 and counts as it is.
  record Local(NodeScore score, Premise premise) implements ScoreForm {}

  /// Raw scores of single nodes that are normalised over the feasible ones; `readsPods` if they
  /// change with the pods on the node.
  record Normalised(NodeScore score, boolean readsPods, Premise premise) implements ScoreForm {}

  /// Depends on counts by domain: asked about groups of nodes at every decision.
  record ByDomain(GroupScore score, Premise premise) implements ScoreForm {}

  /// Has to be asked about every node at every decision.
  record LongWay() implements ScoreForm {

    @Override
    public Premise premise() {
      return Premise.ALWAYS;
    }
  }

  Premise premise();

  /// The form that follows from what a rule watches, and from how its scores are normalised.
  static ScoreForm of(ScoreRule rule, Shape shape, ClusterModel cluster) {
    var score = rule.scoreFor(shape, cluster);
    boolean silent = score.equals(NodeScore.SKIP);
    if (rule.watches().contains(Watch.CLUSTER)) {
      Premise stillSilent = () -> rule.scoreFor(shape, cluster).equals(NodeScore.SKIP);
      return silent ? new Silent(stillSilent) : LONG_WAY;
    }
    if (silent) {
      return SILENT;
    }
    return score.normalization().equals(Normalization.NONE)
        ? new Local(score, Premise.ALWAYS)
        : new Normalised(score, rule.watches().contains(Watch.PODS_ON_NODE), Premise.ALWAYS);
  }
}
