package io.berth.engine.decide;

import io.berth.engine.rule.Premise;
import java.util.LinkedHashSet;
import java.util.List;

/// What the rules of a view took for granted when it was made, and which topologies nodes share.
final class ViewPremises {

  private final Premise[] premises;
  private final GroupKeys keys;

  ViewPremises(ViewFilters filters, ViewScores scores, GroupKeys keys) {
    // Filter and score of a rule often rest on the same.
    var all = new LinkedHashSet<Premise>();
    for (var some : List.of(filters.premises(), scores.premises())) {
      for (var premise : some) {
        if (!premise.equals(Premise.ALWAYS)) {
          all.add(premise);
        }
      }
    }
    this.premises = all.toArray(Premise[]::new);
    this.keys = keys;
  }

  boolean hold() {
    for (var premise : premises) {
      if (!premise.holds()) {
        return false;
      }
    }
    return keys.topologiesAreCurrent();
  }
}
