package io.berth.placement.check;

import io.berth.answers.source.SurveyedPod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A check that is about nothing holds for nothing: it fails, unless its author allows it.
final class Emptiness {

  private static final int MOST_EXPLAINED = 3;

  private Emptiness() {}

  /// What to answer when no pod is selected; `null` when the check may go on.
  static @Nullable CheckFinding selected(
      PodSelection selection, List<SurveyedPod> pods, boolean allowed) {
    if (!pods.isEmpty()) {
      return null;
    }
    return allowed
        ? CheckFinding.NONE
        : CheckFinding.of(
            "it is about nothing: no pod is %s; if that is meant, say mayBeEmpty: true"
                .formatted(selection));
  }

  /// The same when none of them has a node: a pod that waits is in no domain.
  static @Nullable CheckFinding placed(
      Situation situation, PodSelection selection, List<SurveyedPod> pods, boolean allowed) {
    var none = selected(selection, pods, allowed);
    if (none != null || pods.stream().anyMatch(pod -> situation.nodeOf(pod) != null)) {
      return none;
    }
    return allowed
        ? CheckFinding.NONE
        : new CheckFinding(
            "it is about nothing: none of the pods that are %s has a node (%s)"
                .formatted(selection, Domains.names(pods)),
            pods.stream().limit(MOST_EXPLAINED).map(situation::explain).toList());
  }
}
