package io.berth.conformance.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What PreFilter counted over the whole cluster, and how pods that are added or removed in thought
/// change it.
///
/// As in Kubernetes, added and removed pods reach only the plugins that did not skip, and spread
/// counts them by looser rules than the pods that are really there.
final class FilterState {

  final Set<String> skipped = new HashSet<>();
  final List<Spread.Constraint> constraints;
  final List<Map<String, Long>> spreadCounts = new ArrayList<>();
  final Map<Pair, Long> affinity = new HashMap<>();
  final Map<Pair, Long> antiAffinity = new HashMap<>();
  final Map<Pair, Long> existingAntiAffinity = new HashMap<>();
  private final World world;
  private final OraclePod pod;

  record Pair(String key, String value) {}

  FilterState(World world, OraclePod pod, List<Spread.Constraint> constraints) {
    this.world = world;
    this.pod = pod;
    this.constraints = constraints;
    var podsByNode = world.podsByNode();
    for (var node : world.nodes.values()) {
      var pods = java.util.Objects.requireNonNull(podsByNode.get(node.name()));
      pods.forEach(each -> countAffinity(each, node, 1));
    }
    for (var constraint : constraints) {
      var counts = new HashMap<String, Long>();
      for (var node : world.nodes.values()) {
        if (hasAllKeys(node) && constraint.includes(node, pod)) {
          var pods = java.util.Objects.requireNonNull(podsByNode.get(node.name()));
          counts.merge(value(constraint, node), constraint.count(pods, pod), Long::sum);
        }
      }
      spreadCounts.add(counts);
    }
  }

  private FilterState(FilterState other) {
    this.world = other.world;
    this.pod = other.pod;
    this.constraints = other.constraints;
    skipped.addAll(other.skipped);
    other.spreadCounts.forEach(counts -> spreadCounts.add(new HashMap<>(counts)));
    affinity.putAll(other.affinity);
    antiAffinity.putAll(other.antiAffinity);
    existingAntiAffinity.putAll(other.existingAntiAffinity);
  }

  FilterState copy() {
    return new FilterState(this);
  }

  /// As if `other` were on the node too (`delta` 1) or no longer (-1).
  void change(OraclePod other, OracleNode node, long delta) {
    if (!skipped.contains("InterPodAffinity")) {
      countAffinity(other, node, delta);
    }
    if (skipped.contains("PodTopologySpread")
        || !other.namespace.equals(pod.namespace)
        || !hasAllKeys(node)) {
      return;
    }
    for (int i = 0; i < constraints.size(); i++) {
      var constraint = constraints.get(i);
      if (constraint.selector().matches(other.labels) && constraint.includes(node, pod)) {
        spreadCounts.get(i).merge(value(constraint, node), delta, Long::sum);
      }
    }
  }

  private void countAffinity(OraclePod other, OracleNode node, long delta) {
    var namespace = world.namespaceLabels(pod.namespace);
    for (var term : other.requiredAntiAffinity) {
      if (term.matches(pod, namespace)) {
        count(existingAntiAffinity, term, node, delta);
      }
    }
    if (!pod.requiredAffinity.isEmpty() && matchesAll(other)) {
      pod.requiredAffinity.forEach(term -> count(affinity, term, node, delta));
    }
    for (var term : pod.requiredAntiAffinity) {
      if (matches(term, other)) {
        count(antiAffinity, term, node, delta);
      }
    }
  }

  /// Whether one pod matches all required affinity terms of the incoming one.
  boolean matchesAll(OraclePod other) {
    return pod.requiredAffinity.stream().allMatch(term -> matches(term, other));
  }

  private boolean matches(OraclePod.Term term, OraclePod other) {
    return world.matches(term, other);
  }

  private static void count(
      Map<Pair, Long> counts, OraclePod.Term term, OracleNode node, long delta) {
    var value = node.labels().get(term.topologyKey());
    if (value != null) {
      var pair = new Pair(term.topologyKey(), value);
      counts.merge(pair, delta, Long::sum);
      counts.remove(pair, 0L);
    }
  }

  private boolean hasAllKeys(OracleNode node) {
    return constraints.stream().allMatch(each -> node.labels().containsKey(each.key()));
  }

  private static String value(Spread.Constraint constraint, OracleNode node) {
    return java.util.Objects.requireNonNull(node.labels().get(constraint.key()));
  }
}
