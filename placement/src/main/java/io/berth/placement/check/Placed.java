package io.berth.placement.check;

import io.berth.answers.source.SurveyedPod;
import io.berth.api.Tree;

/// `placed: {pod | pods, on}`: each of them has a node; with `on`, one of these.
record Placed(PodSelection pods, NodeSelection on, boolean anywhere, boolean mayBeEmpty)
    implements Check {

  private static final int MOST_EXPLAINED = 3;

  static Check of(Tree check) {
    return new Placed(
        PodSelection.of(check),
        NodeSelection.of(check, "on"),
        !check.has("on"),
        check.flag("mayBeEmpty"));
  }

  @Override
  public CheckFinding judge(Situation situation) {
    var selected = pods.in(situation);
    var empty = Emptiness.selected(pods, selected, mayBeEmpty);
    if (empty != null) {
      return empty;
    }
    var waiting = selected.stream().filter(SurveyedPod::isWaiting).toList();
    if (!waiting.isEmpty()) {
      return new CheckFinding(
          "not placed: " + Domains.names(waiting),
          waiting.stream().limit(MOST_EXPLAINED).map(situation::explain).toList());
    }
    if (anywhere) {
      return CheckFinding.NONE;
    }
    var elsewhere =
        selected.stream()
            .filter(pod -> {
              var node = situation.nodeOf(pod);
              return node == null || !on.means(node);
            })
            .toList();
    return elsewhere.isEmpty()
        ? CheckFinding.NONE
        : CheckFinding.of("not on a node that is %s: %s".formatted(on, Domains.names(elsewhere)));
  }
}
