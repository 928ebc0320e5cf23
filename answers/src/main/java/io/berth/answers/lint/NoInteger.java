package io.berth.answers.lint;

import io.berth.api.Requirement;
import io.berth.engine.rule.Labels;
import java.util.ArrayList;
import java.util.List;

/// `Gt` and `Lt` against something that is no whole number. A required term then matches no node; a
/// preferred one fails every attempt in which there is a choice of nodes.
final class NoInteger implements LintRule {

  @Override
  public String id() {
    return "gt-lt-integer";
  }

  @Override
  public String summary() {
    return "Gt and Lt compare whole numbers only";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var pod = linted.pod();
    var complaints = new ArrayList<Complaint>();
    var required = NodeRule.required(pod);
    boolean hopeless = required.stream().allMatch(rule -> ContradictsItself.isDead(rule, pod));
    for (var rule : required) {
      check(linted, rule, hopeless, complaints);
    }
    for (var rule : NodeRule.preferred(pod)) {
      check(linted, rule, false, complaints);
    }
    return complaints;
  }

  private static void check(
      LintedPod linted, NodeRule rule, boolean fatal, List<Complaint> complaints) {
    for (var clause : rule.term().matchExpressions()) {
      var problem = isComparison(clause) ? Labels.problemWith(clause) : null;
      if (problem != null) {
        complaints.add(
            new Complaint(
                linted,
                Severity.of(fatal && !linted.isPinned()),
                rule.fieldOf(clause) + ".values",
                Labels.shown(clause) + ": " + problem,
                "write one whole number in quotes, and label nodes with whole numbers"));
      }
    }
  }

  private static boolean isComparison(Requirement clause) {
    return clause.operator().equals("Gt") || clause.operator().equals("Lt");
  }
}
