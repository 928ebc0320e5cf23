package io.berth.answers.lint;

import io.berth.api.Node;
import io.berth.engine.rule.NodeMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Preferences that make no difference between the nodes the pod may run on.
final class IdlePreference implements LintRule {

  @Override
  public String id() {
    return "idle-preference";
  }

  @Override
  public String summary() {
    return "a preference that no score can show";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var complaints = new ArrayList<Complaint>();
    var nodes = input.nodesFor(linted.pod());
    if (nodes.size() < 2 || linted.isPinned()) {
      return complaints;
    }
    for (var rule : NodeRule.preferred(linted.pod())) {
      if (!rule.term().isEmpty() && rule.broken() == null) {
        add(linted, rule.field(), indifference(rule, nodes), complaints);
      }
    }
    for (var rule : PodRule.of(linted.pod())) {
      if (!rule.required()) {
        add(linted, rule.field(), sameDomain(rule.term().topologyKey(), nodes), complaints);
      }
    }
    var spread = linted.pod().spec().topologySpreadConstraints();
    for (int i = 0; i < spread.size(); i++) {
      if (!spread.get(i).isHard()) {
        var at = "spec.topologySpreadConstraints[" + i + "]";
        add(linted, at, sameDomain(spread.get(i).topologyKey(), nodes), complaints);
      }
    }
    return complaints;
  }

  private static void add(
      LintedPod linted, String field, @Nullable String problem, List<Complaint> complaints) {
    if (problem != null) {
      complaints.add(
          new Complaint(
              linted,
              Severity.WARNING,
              field,
              problem,
              "remove it, or prefer something in which the nodes differ"));
    }
  }

  private static @Nullable String indifference(NodeRule rule, List<Node> nodes) {
    var matcher = NodeMatcher.of(List.of(rule.term()));
    long matching = nodes.stream().filter(matcher::matches).count();
    if (matching == 0) {
      return "none of the %d nodes the pod may run on is preferred".formatted(nodes.size());
    }
    return matching == nodes.size()
        ? "all %d nodes the pod may run on are preferred alike".formatted(nodes.size())
        : null;
  }

  private static @Nullable String sameDomain(String key, List<Node> nodes) {
    var domains = new HashSet<@Nullable String>();
    nodes.forEach(node -> domains.add(node.labels().get(key)));
    return domains.size() == 1 && !domains.contains(null)
        ? "all %d nodes the pod may run on have the same %s".formatted(nodes.size(), key)
        : null;
  }
}
