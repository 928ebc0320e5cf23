package io.berth.answers.lint;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Pods that wait for each other: each requires another of them to be there first.
///
/// As in Kubernetes, a pod that its own terms mean may be the first; nobody else may.
final class AffinityCycle implements LintRule {

  @Override
  public String id() {
    return "affinity-cycle";
  }

  @Override
  public String summary() {
    return "pods that wait for each other";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    if (linted.isPinned() || near(linted.pod()).isEmpty()) {
      return List.of();
    }
    var stuck = stuck(input);
    var waitsFor = providers(linted, input).stream().filter(stuck::contains).toList();
    if (!stuck.contains(linted) || waitsFor.isEmpty()) {
      return List.of();
    }
    return List.of(
        new Complaint(
            linted,
            Severity.of(isRefused(linted, stuck, input)),
            near(linted.pod()).getFirst().field(),
            "waits for %s, which waits for it".formatted(waitsFor.getFirst().title()),
            "make the affinity of one of them preferred, so that it can be the first"));
  }

  private static List<PodRule> near(Pod pod) {
    return PodRule.of(pod).stream().filter(rule -> rule.required() && !rule.apart()).toList();
  }

  /// Those who cannot start even after everybody who can has started.
  private static Set<LintedPod> stuck(LintInput input) {
    var waiting = new HashSet<LintedPod>();
    for (var each : input.linted()) {
      if (!each.isPinned() && !canStart(each, input)) {
        waiting.add(each);
      }
    }
    while (waiting.removeIf(each -> !waiting.containsAll(providers(each, input)))) {
      // Each round lets those start whose provider has.
    }
    return waiting;
  }

  // Nobody to wait for is another rule's finding.
  private static boolean canStart(LintedPod linted, LintInput input) {
    var pod = linted.pod();
    return near(pod).isEmpty()
        || meansAll(pod, pod, input)
        || input.running().stream().anyMatch(other -> meansAll(pod, other, input))
        || providers(linted, input).isEmpty();
  }

  private static List<LintedPod> providers(LintedPod linted, LintInput input) {
    return input.linted().stream()
        .filter(other -> meansAll(linted.pod(), other.pod(), input))
        .toList();
  }

  private static boolean meansAll(Pod pod, Pod other, LintInput input) {
    return near(pod).stream().allMatch(rule -> input.mayMean(rule, pod, other));
  }

  /// Whether the engine refuses it with everybody else in place, on a node that has every key.
  private static boolean isRefused(LintedPod linted, Set<LintedPod> stuck, LintInput input) {
    var others = new ArrayList<Demand>();
    for (var each : input.linted()) {
      if (!stuck.contains(each)) {
        others.add(Demand.of(each.pod()));
      }
    }
    var demand = Demand.of(linted.pod()).near();
    var nodes = List.of(nodeWithAllKeys(linted.pod()));
    return new Proof(nodes, input.namespaces()).placeable(demand, 1, others) == 0;
  }

  private static Node nodeWithAllKeys(Pod pod) {
    Map<String, String> labels = new HashMap<>();
    near(pod).forEach(rule -> labels.put(rule.term().topologyKey(), "here"));
    var room = Map.of("pods", Quantity.of(Integer.MAX_VALUE));
    return new Node("here", labels, false, List.of(), room, List.of(), List.of());
  }
}
