package io.berth.answers.lint;

import java.util.ArrayList;
import java.util.List;

/// Terms of node affinity without expressions. As in Kubernetes they match no node, not all.
final class EmptyTerm implements LintRule {

  @Override
  public String id() {
    return "empty-term";
  }

  @Override
  public String summary() {
    return "a node selector term without expressions matches no node";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var pod = linted.pod();
    var complaints = new ArrayList<Complaint>();
    var rules = NodeRule.required(pod);
    boolean hopeless = rules.stream().allMatch(rule -> ContradictsItself.isDead(rule, pod));
    var severity = Severity.of(hopeless && !linted.isPinned());
    if (pod.spec().nodeAffinity().required() != null && rules.isEmpty()) {
      complaints.add(complaint(linted, severity, NodeRule.REQUIRED));
    }
    for (var rule : rules) {
      if (rule.term().isEmpty()) {
        complaints.add(complaint(linted, severity, rule.field()));
      }
    }
    for (var rule : NodeRule.preferred(pod)) {
      if (rule.term().isEmpty()) {
        complaints.add(complaint(linted, Severity.WARNING, rule.field()));
      }
    }
    return complaints;
  }

  private static Complaint complaint(LintedPod linted, Severity severity, String field) {
    return new Complaint(
        linted,
        severity,
        field,
        "the term has no expressions and matches no node",
        "write matchExpressions into it, or remove it; no node affinity at all matches every node");
  }
}
