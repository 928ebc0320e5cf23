package io.berth.placement.check;

import io.berth.api.Tree;

/// `never: {pods, on}`: none of them is on such a node.
record Never(PodSelection pods, NodeSelection on, boolean mayBeEmpty) implements Check {

  static Check of(Tree check) {
    return new Never(
        PodSelection.of(check), NodeSelection.of(check, "on"), check.flag("mayBeEmpty"));
  }

  @Override
  public CheckFinding judge(Situation situation) {
    var selected = pods.in(situation);
    var empty = Emptiness.placed(situation, pods, selected, mayBeEmpty);
    if (empty != null) {
      return empty;
    }
    if (on.isEmptyIn(situation) && !mayBeEmpty) {
      return CheckFinding.of(
          "it is about nothing: no node is %s; if that is meant, say mayBeEmpty: true"
              .formatted(on));
    }
    var there =
        selected.stream()
            .filter(pod -> {
              var node = situation.nodeOf(pod);
              return node != null && on.means(node);
            })
            .toList();
    return there.isEmpty()
        ? CheckFinding.NONE
        : CheckFinding.of(
            "pods that are %s are on nodes that are %s: %s"
                .formatted(pods, on, Domains.names(there)));
  }
}
