package io.berth.answers.explain;

import io.berth.answers.explain.PodExplanation.Opening;
import io.berth.api.Pod;
import io.berth.engine.Engine;
import io.berth.engine.Explanation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the node that would take a pod if the fewest others were not there.
final class Openings {

  private static final int MAX_TRIALS = 20;

  private final Engine engine;
  private final Map<String, Set<String>> blamed = new HashMap<>();

  Openings(Engine engine, Explanation explanation) {
    this.engine = engine;
    var hopeless = new HashSet<String>();
    for (var obstacle : explanation.obstacles()) {
      var blame = obstacle.blame();
      var pods = blame == null ? Set.<String>of() : blame.pods();
      for (var node : obstacle.nodes()) {
        blamed.computeIfAbsent(node, _ -> new TreeSet<>()).addAll(pods);
        if (blame == null) {
          hopeless.add(node);
        }
      }
    }
    blamed.keySet().removeAll(hopeless);
  }

  @Nullable Opening find(Pod pod) {
    var fewestFirst = new ArrayList<>(blamed.entrySet());
    fewestFirst.sort(
        Comparator.<Map.Entry<String, Set<String>>>comparingInt(each -> each.getValue().size())
            .thenComparing(Map.Entry::getKey));
    for (var each : fewestFirst.subList(0, Math.min(MAX_TRIALS, fewestFirst.size()))) {
      if (fits(pod, each.getKey(), each.getValue())) {
        return new Opening(each.getKey(), List.copyOf(each.getValue()));
      }
    }
    return null;
  }

  private boolean fits(Pod pod, String node, Set<String> gone) {
    try (var plan = engine.plan()) {
      for (var key : gone) {
        int slash = key.indexOf('/');
        plan.evict(key.substring(0, slash), key.substring(slash + 1));
      }
      return plan.fits(pod, node);
    }
  }
}
