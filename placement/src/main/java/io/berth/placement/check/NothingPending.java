package io.berth.placement.check;

import io.berth.answers.source.SurveyedPod;
import io.berth.api.Tree;

/// `nothingPending: {}`: every pod has a node.
record NothingPending(PodSelection pods, boolean mayBeEmpty) implements Check {

  private static final int MOST_EXPLAINED = 3;

  static Check of(Tree check) {
    return new NothingPending(PodSelection.of(check), check.flag("mayBeEmpty"));
  }

  @Override
  public CheckFinding judge(Situation situation) {
    var selected = pods.in(situation);
    var empty = Emptiness.selected(pods, selected, mayBeEmpty);
    if (empty != null) {
      return empty;
    }
    var waiting = selected.stream().filter(SurveyedPod::isWaiting).toList();
    return waiting.isEmpty()
        ? CheckFinding.NONE
        : new CheckFinding(
            "%s pending: %s"
                .formatted(
                    waiting.size() == 1 ? "1 pod is" : waiting.size() + " pods are",
                    Domains.names(waiting)),
            waiting.stream().limit(MOST_EXPLAINED).map(situation::explain).toList());
  }
}
