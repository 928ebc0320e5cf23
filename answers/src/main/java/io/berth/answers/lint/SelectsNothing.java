package io.berth.answers.lint;

import io.berth.engine.rule.Labels;
import java.util.ArrayList;
import java.util.List;

/// Rules about other pods that mean no pod of the input.
///
/// Never an error: the pods may come from elsewhere.
final class SelectsNothing implements LintRule {

  @Override
  public String id() {
    return "selects-nothing";
  }

  @Override
  public String summary() {
    return "a rule about other pods that means none of them";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var complaints = new ArrayList<Complaint>();
    for (var rule : PodRule.of(linted.pod())) {
      if (rule.term().labelSelector() == null) {
        complaints.add(
            complaint(linted, rule, "without a labelSelector it means no pod", "add one"));
      } else if (meansNobody(rule, linted, input)) {
        complaints.add(
            complaint(
                linted,
                rule,
                "no pod with %s is in what was read".formatted(Labels.shown(rule.selector())),
                "compare the selector with the labels of the pods it is to mean"));
      }
    }
    return complaints;
  }

  private static boolean meansNobody(PodRule rule, LintedPod linted, LintInput input) {
    return Clauses.of(rule.selector()).contradiction() == null
        && input.knowsNamespacesOf(rule, linted.pod())
        && input.pods().stream().noneMatch(pod -> input.mayMean(rule, linted.pod(), pod));
  }

  private static Complaint complaint(LintedPod linted, PodRule rule, String what, String fix) {
    return new Complaint(
        linted, Severity.WARNING, rule.field() + ".labelSelector", rule.title() + ": " + what, fix);
  }
}
