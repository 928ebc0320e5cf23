package io.berth.engine.decide;

import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.Profile;

/// The rules of a profile as a view of one shape uses them.
///
/// What a rule says about a node by itself is a verdict or a local score ([ViewFilters],
/// [ViewScores]); what is normalised over nodes, or depends on domains, goes into the keys by which
/// nodes are grouped ([GroupKeys]). All of it was read under premises that must still hold
/// ([ViewPremises]).
final class ViewRules {

  private final ViewFilters filters;
  private final ViewScores scores;
  private final GroupKeys keys;
  private final ViewPremises premises;

  ViewRules(Shape shape, Profile profile, ClusterModel cluster) {
    this.filters = new ViewFilters(shape, profile, cluster);
    this.scores = new ViewScores(shape, profile, cluster);
    this.keys = new GroupKeys(filters, scores);
    this.premises = new ViewPremises(filters, scores, keys);
  }

  /// Whether this profile and shape can be kept as a view at all.
  boolean isViewable() {
    return filters.isViewable() && scores.isViewable();
  }

  /// Whether what was read of the cluster when the view was made still holds.
  boolean areCurrent() {
    return premises.hold();
  }

  ViewFilters filters() {
    return filters;
  }

  ViewScores scores() {
    return scores;
  }

  GroupKeys keys() {
    return keys;
  }
}
