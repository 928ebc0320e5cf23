package io.berth.placement.check;

import io.berth.answers.source.SurveyedPod;
import io.berth.api.Tree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// `moved: {atMost}`: over all top owners, the pods that nodes gained since the beginning, apart
/// from those by which the owner grew.
record Moved(PodSelection pods, long atMost, boolean mayBeEmpty) implements Check {

  static Check of(Tree check) {
    return new Moved(PodSelection.of(check), check.number(0, "atMost"), check.flag("mayBeEmpty"));
  }

  @Override
  public CheckFinding judge(Situation situation) {
    var selected = pods.in(situation);
    var empty = Emptiness.selected(pods, selected, mayBeEmpty);
    if (empty != null) {
      return empty;
    }
    var before = byOwner(situation.before(), pods.in(situation.before()));
    var moved = new TreeMap<String, Long>();
    byOwner(situation, selected)
        .forEach((owner, now) -> {
          long count = moved(before.getOrDefault(owner, Map.of()), now);
          if (count > 0) {
            moved.put(owner, count);
          }
        });
    long all = moved.values().stream().mapToLong(Long::longValue).sum();
    return all <= atMost
        ? CheckFinding.NONE
        : CheckFinding.of(
            "%d pods moved, at most %d may: %s"
                .formatted(
                    all,
                    atMost,
                    moved.entrySet().stream()
                        .map(each -> "%d of %s".formatted(each.getValue(), each.getKey()))
                        .collect(Collectors.joining(", "))));
  }

  private static long moved(Map<String, Long> before, Map<String, Long> now) {
    long gained = 0;
    long growth = 0;
    for (var node : now.entrySet()) {
      long more = node.getValue() - before.getOrDefault(node.getKey(), 0L);
      gained += Math.max(0, more);
      growth += node.getValue();
    }
    growth -= before.values().stream().mapToLong(Long::longValue).sum();
    return Math.max(0, gained - Math.max(0, growth));
  }

  /// Owner → node → placed pods.
  private static Map<String, Map<String, Long>> byOwner(
      Situation situation, List<SurveyedPod> pods) {
    var owners = new TreeMap<String, Map<String, Long>>();
    for (var pod : pods) {
      if (!pod.pod().nodeName().isEmpty()) {
        owners
            .computeIfAbsent(situation.topOwner(pod), _ -> new HashMap<>())
            .merge(pod.pod().nodeName(), 1L, Long::sum);
      }
    }
    return owners;
  }
}
