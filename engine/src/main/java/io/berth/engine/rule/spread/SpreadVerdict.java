package io.berth.engine.rule.spread;

import io.berth.engine.rule.Verdict;

/// The verdict of hard constraints, wherever the counts come from: a node, or a group of them.
abstract class SpreadVerdict {

  /// In place of a count, where the node lacks the label.
  static final int MISSING = Integer.MIN_VALUE;

  final SpreadConstraint[] constraints;

  SpreadVerdict(SpreadConstraint[] constraints) {
    this.constraints = constraints;
  }

  /// How many pods the c-th constraint counts in the domain asked about, or [#MISSING].
  abstract int here(int c);

  /// How many it counts where there are fewest, the domain asked about having `here`.
  abstract int fewest(int c, int here);

  final Verdict verdict() {
    for (int c = 0; c < constraints.length; c++) {
      int here = here(c);
      if (here == MISSING) {
        return PodTopologySpread.LABEL_MISSING;
      }
      if (constraints[c].isSkewed(here, fewest(c, here))) {
        return PodTopologySpread.SKEWED;
      }
    }
    return Verdict.FITS;
  }
}
