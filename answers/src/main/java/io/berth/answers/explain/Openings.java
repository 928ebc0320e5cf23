package io.berth.answers.explain;

import io.berth.answers.explain.PodExplanation.Opening;
import io.berth.api.Pod;
import io.berth.engine.Explanation;
import io.berth.engine.Plan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Finds the node that would take a pod if the fewest others were not there.
final class Openings {

  private static final int MAX_TRIALS = 20;

  /// Nobody waits for so many pods to go.
  private static final int MAX_PODS = 1_000;

  private final Plan plan;
  private final Map<String, Blamed> blamed = new HashMap<>();

  /// Who is in the way on a node: a set for each rule, which nodes may share.
  private static final class Blamed {
    private final List<Set<String>> sets = new ArrayList<>();
    private boolean hopeless;

    /// Those that several rules blame count once, where that is cheap to tell.
    int size() {
      int sum = 0;
      for (var set : sets) {
        sum += set.size();
      }
      return sets.size() == 1 || sum > MAX_PODS ? sum : together().size();
    }

    Set<String> together() {
      var all = new TreeSet<String>();
      sets.forEach(all::addAll);
      return all;
    }
  }

  private record Candidate(String node, int pods) {}

  /// The plan is left as it was.
  Openings(Plan plan, Explanation explanation) {
    this.plan = plan;
    for (var obstacle : explanation.obstacles()) {
      var blame = obstacle.blame();
      for (var node : obstacle.nodes()) {
        var here = blamed.computeIfAbsent(node, _ -> new Blamed());
        if (blame == null) {
          here.hopeless = true;
        } else {
          here.sets.add(blame.pods());
        }
      }
    }
  }

  @Nullable Opening find(Pod pod) {
    for (var candidate : fewestFirst()) {
      var gone = blamed.getOrDefault(candidate.node(), new Blamed()).together();
      if (fits(pod, candidate.node(), gone)) {
        return new Opening(candidate.node(), List.copyOf(gone));
      }
    }
    return null;
  }

  private List<Candidate> fewestFirst() {
    var candidates = new ArrayList<Candidate>();
    blamed.forEach((node, here) -> {
      int pods = here.hopeless ? Integer.MAX_VALUE : here.size();
      if (pods <= MAX_PODS) {
        candidates.add(new Candidate(node, pods));
      }
    });
    candidates.sort(Comparator.comparingInt(Candidate::pods).thenComparing(Candidate::node));
    return candidates.subList(0, Math.min(MAX_TRIALS, candidates.size()));
  }

  private boolean fits(Pod pod, String node, Set<String> gone) {
    int mark = plan.checkpoint();
    try {
      for (var key : gone) {
        int slash = key.indexOf('/');
        plan.evict(key.substring(0, slash), key.substring(slash + 1));
      }
      return plan.fits(pod, node);
    } finally {
      plan.rollback(mark);
    }
  }
}
