package io.berth.answers.lint;

import io.berth.api.Node;
import io.berth.engine.rule.NodeMatcher;
import java.util.List;

/// Several terms that exclude nodes, meant to hold together: terms are alternatives, and each lets
/// in what the others keep out.
final class OpenAlternatives implements LintRule {

  @Override
  public String id() {
    return "alternatives-exclude-nothing";
  }

  @Override
  public String summary() {
    return "node selector terms are alternatives; together they let every node in";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var rules = NodeRule.required(linted.pod());
    boolean excluding =
        rules.size() > 1 && rules.stream().allMatch(rule -> excludes(rule, input.nodes()));
    if (!excluding || !letEveryNodeIn(linted, input)) {
      return List.of();
    }
    return List.of(
        new Complaint(
            linted,
            Severity.WARNING,
            rules.get(1).field(),
            "the %d terms are alternatives: a node has to satisfy one of them, and every node does"
                .formatted(rules.size()),
            "move the expressions into one term, where all of them must hold"));
  }

  /// Only clauses that keep something out, and here they do.
  private static boolean excludes(NodeRule rule, List<Node> nodes) {
    var clauses = rule.term().matchExpressions();
    boolean negative =
        !clauses.isEmpty()
            && rule.term().matchFields().isEmpty()
            && clauses.stream()
                .allMatch(each ->
                    each.operator().equals("NotIn") || each.operator().equals("DoesNotExist"));
    var matcher = NodeMatcher.of(List.of(rule.term()));
    return negative && (nodes.isEmpty() || !nodes.stream().allMatch(matcher::matches));
  }

  private static boolean letEveryNodeIn(LintedPod linted, LintInput input) {
    var required = linted.pod().spec().nodeAffinity().required();
    return required != null && input.nodes().stream().allMatch(NodeMatcher.of(required)::matches);
  }
}
