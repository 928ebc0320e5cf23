package io.berth.placement.check;

import io.berth.api.Tree;
import java.util.stream.Collectors;

/// `together: {pods, with, by}`: each of them shares its domain with one of the others; without
/// `with`, all are in one.
record Together(PodSelection pods, PodSelection with, String by, boolean mayBeEmpty)
    implements Check {

  static Check of(Tree check) {
    return new Together(
        PodSelection.of(check),
        PodSelection.labelled(check, "with"),
        check.textOrEmpty("by"),
        check.flag("mayBeEmpty"));
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
    return with.labels().isEmpty() ? inOne(domains) : withOthers(situation, domains);
  }

  private CheckFinding inOne(Domains domains) {
    var used = domains.byValue().keySet().stream().filter(value -> domains.count(value) > 0);
    var places = used.map(domains::describe).toList();
    return places.size() == 1
        ? CheckFinding.NONE
        : CheckFinding.of(
            "pods that are %s are in %d of %s: %s"
                .formatted(pods, places.size(), by, String.join("; ", places)));
  }

  private CheckFinding withOthers(Situation situation, Domains domains) {
    var others = with.in(situation);
    var empty = Emptiness.placed(situation, with, others, mayBeEmpty);
    if (empty != null) {
      return empty;
    }
    var theirs = Domains.of(situation, others, by);
    var alone =
        domains.byValue().keySet().stream()
            .filter(value -> domains.count(value) > 0 && theirs.count(value) == 0)
            .map(domains::describe)
            .collect(Collectors.joining("; "));
    return alone.isEmpty()
        ? CheckFinding.NONE
        : CheckFinding.of(
            "pods that are %s are without any that is %s in their %s: %s"
                .formatted(pods, with, by, alone));
  }
}
