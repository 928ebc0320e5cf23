package io.berth.placement.check;

import io.berth.answers.explain.PodExplanation;
import io.berth.answers.source.SurveyedPod;
import io.berth.api.Tree;
import java.util.List;
import java.util.stream.Collectors;

/// `pending: {pod | pods, because, verdict}`: each of them waits, for this reason.
record Pending(PodSelection pods, String because, String verdict, boolean mayBeEmpty)
    implements Check {

  static Check of(Tree check) {
    return new Pending(
        PodSelection.of(check),
        check.textOrEmpty("because"),
        check.textOrEmpty("verdict"),
        check.flag("mayBeEmpty"));
  }

  @Override
  public CheckFinding judge(Situation situation) {
    var selected = pods.in(situation);
    var empty = Emptiness.selected(pods, selected, mayBeEmpty);
    if (empty != null) {
      return empty;
    }
    for (var pod : selected) {
      var finding = judge(situation, pod);
      if (finding.isFailure()) {
        return finding;
      }
    }
    return CheckFinding.NONE;
  }

  private CheckFinding judge(Situation situation, SurveyedPod pod) {
    if (!pod.isWaiting()) {
      return CheckFinding.of(
          "%s is not pending, it is on %s".formatted(pod.pod().key(), pod.pod().nodeName()));
    }
    var explanation = situation.explain(pod);
    var found = explanation.verdict().toString();
    if (!verdict.isEmpty() && !verdict.equals(found)) {
      return new CheckFinding(
          "%s is pending with the verdict %s, not %s".formatted(pod.pod().key(), found, verdict),
          List.of(explanation));
    }
    return because.isEmpty()
            || explanation.causes().stream().anyMatch(cause -> cause.rule().equals(because))
        ? CheckFinding.NONE
        : new CheckFinding(
            "%s is pending because of %s, not of %s"
                .formatted(pod.pod().key(), rules(explanation), because),
            List.of(explanation));
  }

  private static String rules(PodExplanation explanation) {
    var rules =
        explanation.causes().stream()
            .map(cause -> cause.rule())
            .filter(rule -> !rule.isEmpty())
            .distinct()
            .collect(Collectors.joining(", "));
    return rules.isEmpty() ? "no rule" : rules;
  }
}
