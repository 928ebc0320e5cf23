package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.GroupScore;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.Premise;
import io.berth.engine.rule.Profile;
import io.berth.engine.rule.ScoreForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The score rules of a view: scores that are a node's own business, and those of groups.
final class ViewScores {

  private NodeScore[] local = {};
  private long[] localWeights = {};
  private GroupScore[] ofGroups = {};
  private long[] groupWeights = {};
  private final List<Premise> premises = new ArrayList<>();
  private boolean viewable = true;

  ViewScores(Shape shape, Profile profile, ClusterModel cluster) {
    for (var weighted : profile.scores()) {
      add(weighted.rule().scoreForm(shape, cluster), weighted.weight());
    }
    for (var rule : profile.preScores()) {
      viewable &= !(rule.scoreForm(shape, cluster) instanceof ScoreForm.LongWay);
    }
    // The sum of what nodes have by themselves is kept as an int.
    viewable &= Arrays.stream(localWeights).sum() <= Integer.MAX_VALUE / Normalization.MAX_SCORE;
  }

  private void add(ScoreForm form, long weight) {
    premises.add(form.premise());
    switch (form) {
      case ScoreForm.Silent _ -> {}
      case ScoreForm.Local(var score, _) -> {
        local = Arrays.copyOf(local, local.length + 1);
        local[local.length - 1] = score;
        localWeights = with(localWeights, weight);
      }
      case ScoreForm.Normalised(var score, var readsPods, _) ->
          addOfGroups(new RawScore(score, readsPods), weight);
      case ScoreForm.ByDomain(var score, _) -> addOfGroups(score, weight);
      case ScoreForm.LongWay _ -> viewable = false;
    }
  }

  private void addOfGroups(GroupScore score, long weight) {
    ofGroups = Arrays.copyOf(ofGroups, ofGroups.length + 1);
    ofGroups[ofGroups.length - 1] = score;
    groupWeights = with(groupWeights, weight);
  }

  private static long[] with(long[] weights, long weight) {
    var more = Arrays.copyOf(weights, weights.length + 1);
    more[weights.length] = weight;
    return more;
  }

  boolean isViewable() {
    return viewable;
  }

  /// The weighted scores that are the node's own business.
  int local(int node) {
    long sum = 0;
    for (int i = 0; i < local.length; i++) {
      sum += local[i].raw(node) * localWeights[i];
    }
    return (int) sum;
  }

  /// Scores that are normalised over groups, and what each weighs.
  GroupScore[] ofGroups() {
    return ofGroups;
  }

  long[] groupWeights() {
    return groupWeights;
  }

  List<Premise> premises() {
    return premises;
  }
}
