package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// DefaultPreemption: on which nodes would evicting pods help, and which victims would it take.
final class Preemption {

  private final World world;
  private final OraclePod pod;
  private final Cycle cycle;
  private final Tree answer = new Tree();

  Preemption(World world, OraclePod pod, Cycle cycle) {
    this.world = world;
    this.pod = pod;
    this.cycle = cycle;
  }

  /// `helpless` are the nodes that eviction cannot help; `potential` those where it might.
  Tree run(boolean nominatedUnresolvable, List<OracleNode> potential) {
    var refusal = notEligible(nominatedUnresolvable);
    if (refusal != null) {
      return answer.put("code", "Unschedulable").put("message", "preemption: " + refusal);
    }
    var candidates = new TreeMap<String, Victims>();
    var rejected = new TreeMap<String, Rejection>();
    for (var node : potential) {
      dryRun(node, candidates, rejected);
    }
    if (!rejected.isEmpty()) {
      var tree = new Tree();
      rejected.forEach((name, rejection) -> tree.put(name, rejection.toTree()));
      answer.put("rejected", tree);
    }
    if (candidates.isEmpty()) {
      var reasons = new ArrayList<List<String>>();
      rejected.values().forEach(each -> reasons.add(each.reasons()));
      for (int i = reasons.size(); i < world.nodes.size(); i++) {
        reasons.add(List.of("Preemption is not helpful for scheduling"));
      }
      return answer
          .put("code", "Unschedulable")
          .put("message", "preemption: " + Cycle.message(world.nodes.size(), reasons));
    }
    return choose(candidates);
  }

  private @Nullable String notEligible(boolean nominatedUnresolvable) {
    if (pod.tree.textOrEmpty("spec", "preemptionPolicy").equals("Never")) {
      return "not eligible due to preemptionPolicy=Never.";
    }
    var nominated = pod.tree.textOrEmpty("status", "nominatedNodeName");
    if (nominated.isEmpty() || nominatedUnresolvable) {
      return null;
    }
    boolean waiting =
        world.podsByNode().getOrDefault(nominated, List.of()).stream()
            .anyMatch(each -> each.priority < pod.priority && isBeingPreempted(each));
    return waiting ? "not eligible due to a terminating pod on the nominated node." : null;
  }

  private static boolean isBeingPreempted(OraclePod victim) {
    return victim.terminating
        && victim.tree.trees("status", "conditions").stream()
            .anyMatch(each ->
                each.textOrEmpty("type").equals("DisruptionTarget")
                    && each.textOrEmpty("status").equals("True")
                    && each.textOrEmpty("reason").equals("PreemptionByScheduler"));
  }

  private record Victims(List<OraclePod> pods, long violations) {

    long highestPriority() {
      return pods.getFirst().priority;
    }

    long prioritySum() {
      return pods.stream().mapToLong(each -> each.priority + (1L << 31)).sum();
    }

    Instant earliestStart() {
      return pods.stream()
          .filter(each -> each.priority == highestPriority())
          .map(each -> each.startTime == null ? Instant.MAX : each.startTime)
          .min(Comparator.naturalOrder())
          .orElseThrow();
    }
  }

  private void dryRun(
      OracleNode node, Map<String, Victims> candidates, Map<String, Rejection> rejected) {
    var all = cycle.situation(node).pods();
    var lower =
        all.stream().filter(each -> each.priority < pod.priority).sorted(importance()).toList();
    if (lower.isEmpty()) {
      rejected.put(
          node.name(), Rejection.unresolvable("", "No preemption victims found for incoming pod"));
      return;
    }
    var state = cycle.state().copy();
    var at = new Situation(node, all);
    for (var victim : lower) {
      at = at.without(victim);
      state.change(victim, node, -1);
    }
    var refusal = cycle.firstRejection(state, at);
    if (refusal != null) {
      rejected.put(node.name(), refusal);
      return;
    }
    var violating = violating(lower);
    var order = new ArrayList<OraclePod>(violating);
    lower.stream().filter(each -> !violating.contains(each)).forEach(order::add);
    var victims = new ArrayList<OraclePod>();
    for (var victim : order) {
      var back = at.with(victim);
      state.change(victim, node, 1);
      if (cycle.firstRejection(state, back) == null) {
        at = back;
      } else {
        state.change(victim, node, -1);
        victims.add(victim);
      }
    }
    victims.sort(importance());
    candidates.put(
        node.name(), new Victims(victims, victims.stream().filter(violating::contains).count()));
  }

  private static Comparator<OraclePod> importance() {
    return Comparator.<OraclePod>comparingLong(each -> -each.priority)
        .thenComparing(each -> each.startTime == null ? Instant.MAX : each.startTime);
  }

  /// Walks the pods most important first and lets each budget allow what it allows.
  private List<OraclePod> violating(List<OraclePod> pods) {
    var budgets =
        world.start.objects("pdbs").stream()
            .sorted(Comparator.comparing(each -> each.textOrEmpty("metadata", "name")))
            .toList();
    var allowed = new HashMap<Tree, Long>();
    budgets.forEach(each -> allowed.put(each, each.number(0, "status", "disruptionsAllowed")));
    var violating = new ArrayList<OraclePod>();
    for (var each : pods) {
      boolean violates = false;
      for (var budget : budgets) {
        if (!covers(budget, each)) {
          continue;
        }
        // As in Kubernetes, the first budget that is violated spares the later ones.
        if (allowed.merge(budget, -1L, Long::sum) < 0) {
          violates = true;
          break;
        }
      }
      if (violates) {
        violating.add(each);
      }
    }
    return violating;
  }

  private static boolean covers(Tree budget, OraclePod each) {
    var selector = Selector.of(budget.tree("spec", "selector"));
    return !each.labels.isEmpty()
        && budget.textOrEmpty("metadata", "namespace").equals(each.namespace)
        && !selector.isEmpty()
        && selector.matches(each.labels)
        && !budget
            .treeOrEmpty("status", "disruptedPods")
            .has(each.tree.textOrEmpty("metadata", "name"));
  }

  private Tree choose(SortedMap<String, Victims> candidates) {
    var order =
        Comparator.<Victims>comparingLong(Victims::violations)
            .thenComparingLong(Victims::highestPriority)
            .thenComparingLong(Victims::prioritySum)
            .thenComparingLong(each -> each.pods().size())
            .thenComparing(Victims::earliestStart, Comparator.reverseOrder());
    var best = candidates.values().stream().min(order).orElseThrow();
    var chosen = new ArrayList<String>();
    var tree = new Tree();
    candidates.forEach((name, victims) -> {
      var candidate = Tree.of("victims", victims.pods().stream().map(each -> each.key).toList());
      if (victims.violations() > 0) {
        candidate.put("numPDBViolations", victims.violations());
      }
      tree.put(name, candidate);
      if (order.compare(victims, best) == 0) {
        chosen.add(name);
      }
    });
    return answer
        .put("code", "Success")
        .put("candidates", tree)
        .put("chosen", chosen)
        .put(
            "message",
            "preemption: found a potential placement for pod on node %s, preempting %d victims"
                .formatted(chosen.getFirst(), best.pods().size()));
  }
}
