package io.berth.answers.lint;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Requirement;
import io.berth.engine.rule.Labels;
import java.util.List;
import java.util.TreeSet;

/// Node selectors and required node affinity that no node of the input satisfies.
///
/// Terms that match nothing by themselves are for the rules that say why.
final class MatchesNever implements LintRule {

  private static final int SHOWN = 5;

  @Override
  public String id() {
    return "matches-never";
  }

  @Override
  public String summary() {
    return "no node has the labels that the pod requires";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var pod = linted.pod();
    if (linted.isPinned() || !input.proof().refuses(Demand.of(pod).nodes()) || isHopeless(pod)) {
      return List.of();
    }
    var field = field(pod, input.nodes());
    return List.of(
        new Complaint(linted, Severity.ERROR, field, message(pod, field, input), fix(pod, field)));
  }

  /// Whether every term is empty, broken or contradicts itself.
  private static boolean isHopeless(Pod pod) {
    var rules = NodeRule.required(pod);
    return pod.spec().nodeAffinity().required() != null
        && rules.stream().allMatch(rule -> ContradictsItself.isDead(rule, pod));
  }

  /// The first demand that no node meets; where only all together are too much, the last of them.
  private static String field(Pod pod, List<Node> nodes) {
    for (var each : pod.spec().nodeSelector().entrySet()) {
      if (nodes.stream()
          .noneMatch(node -> each.getValue().equals(node.labels().get(each.getKey())))) {
        return "spec.nodeSelector[" + each.getKey() + "]";
      }
    }
    var rules = NodeRule.required(pod);
    if (rules.isEmpty()) {
      return "spec.nodeSelector";
    }
    return rules.size() == 1 ? fieldIn(rules.getFirst(), nodes) : NodeRule.REQUIRED;
  }

  private static String fieldIn(NodeRule rule, List<Node> nodes) {
    for (var clause : rule.term().matchExpressions()) {
      if (nodes.stream().noneMatch(node -> clause.matches(node.labels().get(clause.key())))) {
        return rule.fieldOf(clause);
      }
    }
    return rule.field();
  }

  private static String message(Pod pod, String field, LintInput input) {
    var demand = demand(pod, field);
    var nodes = input.nodes();
    return demand == null
        ? "none of %d nodes has all labels that the pod requires".formatted(nodes.size())
        : "none of %d nodes satisfies %s; %s"
            .formatted(nodes.size(), Labels.shown(demand), values(demand.key(), nodes));
  }

  private static @org.jspecify.annotations.Nullable Requirement demand(Pod pod, String field) {
    for (var each : pod.spec().nodeSelector().entrySet()) {
      if (field.equals("spec.nodeSelector[" + each.getKey() + "]")) {
        return new Requirement(each.getKey(), "In", List.of(each.getValue()));
      }
    }
    for (var rule : NodeRule.required(pod)) {
      for (var clause : rule.term().matchExpressions()) {
        if (field.equals(rule.fieldOf(clause))) {
          return clause;
        }
      }
    }
    return null;
  }

  private static String values(String key, List<Node> nodes) {
    var values = new TreeSet<String>();
    for (var node : nodes) {
      var value = node.labels().get(key);
      if (value != null) {
        values.add(value);
      }
    }
    if (values.isEmpty()) {
      return "no node has the label " + key;
    }
    var shown = String.join(", ", values.stream().limit(SHOWN).toList());
    return "its values are " + shown + (values.size() > SHOWN ? ", …" : "");
  }

  private static String fix(Pod pod, String field) {
    var demand = demand(pod, field);
    return demand == null
        ? "drop one of the requirements, or label a node with all of them"
        : "ask for labels that nodes have, or label a node: kubectl label node NODE %s=%s"
            .formatted(
                demand.key(), demand.values().isEmpty() ? "VALUE" : demand.values().getFirst());
  }
}
