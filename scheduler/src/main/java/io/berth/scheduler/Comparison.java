package io.berth.scheduler;

import io.berth.api.Pod;

/// A pod that another scheduler bound, and what ours thinks of that node.
///
/// `ours` is the node that would have been taken here, or `""` when there was none.
public record Comparison(Pod pod, String theirs, String ours, Verdict verdict, String detail) {

  /// How the two relate.
  public enum Verdict {
    /// The same node.
    SAME,
    /// Another node with the same, best score.
    TIE,
    /// A best node, if a few pods were decided in another order than they came.
    OTHER_ORDER,
    /// A node that fits but scores less than the best, in every order that the binds allow.
    LOWER_SCORE,
    /// A node that the rules forbid.
    DOES_NOT_FIT
  }

  boolean isExplained() {
    return verdict != Verdict.LOWER_SCORE && verdict != Verdict.DOES_NOT_FIT;
  }
}
