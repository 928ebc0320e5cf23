package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Examination;

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
    /// A node that fits but scores less than the best.
    LOWER_SCORE,
    /// A node that the rules forbid.
    DOES_NOT_FIT
  }

  /// Asks the engine as it was before the bind.
  static Comparison of(Engine engine, Pod pod, String theirs) {
    var ours = engine.decide(pod) instanceof Decision.Placed placed ? placed.node() : "";
    if (ours.equals(theirs)) {
      return new Comparison(pod, theirs, ours, Verdict.SAME, "");
    }
    var examined = engine.examine(pod);
    int at = examined.feasible().indexOf(theirs);
    if (at < 0) {
      return new Comparison(pod, theirs, ours, Verdict.DOES_NOT_FIT, objection(examined, theirs));
    }
    long best = 0;
    for (long total : examined.total()) {
      best = Math.max(best, total);
    }
    long score = examined.total().length == 0 ? 0 : examined.total()[at];
    return score == best
        ? new Comparison(pod, theirs, ours, Verdict.TIE, "both score " + best)
        : new Comparison(
            pod, theirs, ours, Verdict.LOWER_SCORE, "%d instead of %d".formatted(score, best));
  }

  private static String objection(Examination examined, String node) {
    var rejection = examined.infeasible().get(node);
    if (rejection != null) {
      var first = rejection.first();
      return first.plugin() + ": " + String.join(", ", first.reasons());
    }
    var message = examined.message();
    return message == null ? "the node is not known here" : message;
  }
}
