package io.berth.placement.check;

import io.berth.api.Tree;
import java.util.Comparator;
import java.util.stream.Collectors;

/// `skew: {pods, by, atMost}`: most minus least pods over the domains that have a ready node.
record Skew(PodSelection pods, String by, long atMost, boolean mayBeEmpty) implements Check {

  static Check of(Tree check) {
    return new Skew(
        PodSelection.of(check),
        check.textOrEmpty("by"),
        check.number(0, "atMost"),
        check.flag("mayBeEmpty"));
  }

  @Override
  public CheckFinding judge(Situation situation) {
    var selected = pods.in(situation);
    var domains = Domains.of(situation, selected, by);
    var empty = Emptiness.placed(situation, pods, selected, mayBeEmpty);
    if (empty != null) {
      return empty;
    }
    var values = domains.ready();
    if (values.isEmpty()) {
      return CheckFinding.of("no ready node has the label %s".formatted(by));
    }
    return domains.skew() <= atMost
        ? CheckFinding.NONE
        : CheckFinding.of(
            "the skew of %s by %s is %d, at most %d is allowed: %s"
                .formatted(
                    pods,
                    by,
                    domains.skew(),
                    atMost,
                    values.stream()
                        .sorted(
                            Comparator.comparing(domains::count, Comparator.reverseOrder())
                                .thenComparing(Comparator.naturalOrder()))
                        .map(domains::describe)
                        .collect(Collectors.joining("; "))));
  }
}
