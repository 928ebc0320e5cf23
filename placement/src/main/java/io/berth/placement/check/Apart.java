package io.berth.placement.check;

import io.berth.api.Tree;
import java.util.stream.Collectors;

/// `apart: {pods, by}`: no two of them share a domain.
record Apart(PodSelection pods, String by, boolean mayBeEmpty) implements Check {

  static Check of(Tree check) {
    return new Apart(PodSelection.of(check), check.textOrEmpty("by"), check.flag("mayBeEmpty"));
  }

  @Override
  public CheckFinding judge(Situation situation) {
    var selected = pods.in(situation);
    var empty = Emptiness.placed(situation, pods, selected, mayBeEmpty);
    if (empty != null) {
      return empty;
    }
    var domains = Domains.of(situation, selected, by);
    if (!domains.homeless().isEmpty()) {
      return Unlabelled.finding(domains);
    }
    var shared =
        domains.byValue().entrySet().stream()
            .filter(domain -> domain.getValue().size() > 1)
            .map(domain -> domains.describe(domain.getKey()))
            .collect(Collectors.joining("; "));
    return shared.isEmpty()
        ? CheckFinding.NONE
        : CheckFinding.of("pods that are %s share a %s: %s".formatted(pods, by, shared));
  }
}
