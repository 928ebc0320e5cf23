package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.Examination;
import io.berth.scheduler.ArrivalOrder.Release;
import io.berth.scheduler.Comparison.Verdict;
import java.util.List;

/// Judges what another scheduler has decided, on the state that it saw.
///
/// That state is not written anywhere. First it is taken that pods were decided as they came. Where
/// that makes the decision a bad one, those that came later and were bound before are counted, one
/// after the other, and those that came before and were bound after are not: a scheduler that tried
/// a pod twice has seen just that.
final class ShadowJudge {

  /// Orders tried for one pod.
  private static final int MAX_OTHERS = 64;

  private final Engine engine;

  ShadowJudge(Engine engine) {
    this.engine = engine;
  }

  /// Asks the engine as it was before the bind, which is how it is when this returns.
  Comparison compare(Pod pod, Release release) {
    var theirs = release.pod().nodeName();
    var asTheyCame = judge(pod, theirs);
    if (asTheyCame.isExplained()) {
      return asTheyCame;
    }
    var overtakers = release.overtakers().stream().limit(MAX_OTHERS).toList();
    var laggards = release.laggards().stream().limit(MAX_OTHERS).toList();
    if (isBestWith(pod, theirs, overtakers)) {
      return otherOrder(asTheyCame, overtakers.size(), 0);
    }
    try {
      for (int i = 0; i < laggards.size(); i++) {
        engine.remove(laggards.get(i).reference());
        if (isBestWith(pod, theirs, overtakers)) {
          return otherOrder(asTheyCame, overtakers.size(), i + 1);
        }
      }
      return asTheyCame;
    } finally {
      laggards.forEach(engine::put);
    }
  }

  /// Whether the node is among the best when some of the others are counted as well.
  private boolean isBestWith(Pod pod, String theirs, List<Pod> others) {
    int counted = 0;
    try {
      boolean best = judge(pod, theirs).isExplained();
      while (!best && counted < others.size()) {
        engine.put(others.get(counted++));
        best = judge(pod, theirs).isExplained();
      }
      return best;
    } finally {
      for (int i = 0; i < counted; i++) {
        engine.remove(others.get(i).reference());
      }
    }
  }

  private static Comparison otherOrder(Comparison asTheyCame, int overtakers, int laggards) {
    return new Comparison(
        asTheyCame.pod(),
        asTheyCame.theirs(),
        asTheyCame.ours(),
        Verdict.OTHER_ORDER,
        "best with some of %d pods that came later and without %d that came before; as they came: %s"
            .formatted(overtakers, laggards, asTheyCame.detail()));
  }

  private Comparison judge(Pod pod, String theirs) {
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
