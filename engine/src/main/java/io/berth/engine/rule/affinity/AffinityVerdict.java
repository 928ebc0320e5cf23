package io.berth.engine.rule.affinity;

import io.berth.engine.rule.Verdict;

/// The verdict of required terms, wherever the counts come from: a node, or a group of them.
abstract class AffinityVerdict {

  /// In place of a count, where the node lacks the label.
  static final int MISSING = Integer.MIN_VALUE;

  final AffinityTerms terms;

  AffinityVerdict(AffinityTerms terms) {
    this.terms = terms;
  }

  /// How many pods that match all required terms are near by the topology of the i-th, or
  /// [#MISSING].
  abstract int near(int i);

  /// Whether the newcomer may be the first of its kind: it matches its own terms, and nobody else
  /// does.
  abstract boolean isFirst();

  /// Whether pods are near that the newcomer cannot stand.
  abstract boolean avoidsSomebody();

  /// Whether pods are near that cannot stand the newcomer.
  abstract boolean isShunned();

  final Verdict verdict() {
    if (!hasCompany()) {
      return InterPodAffinity.AFFINITY;
    }
    if (avoidsSomebody()) {
      return InterPodAffinity.ANTI_AFFINITY;
    }
    return isShunned() ? InterPodAffinity.EXISTING_ANTI_AFFINITY : Verdict.FITS;
  }

  private boolean hasCompany() {
    boolean found = true;
    for (int i = 0; i < terms.affinity().length; i++) {
      int near = near(i);
      if (near == MISSING) {
        return false;
      }
      found &= near > 0;
    }
    return found || isFirst();
  }
}
