package io.berth.answers.lint;

import io.berth.api.Pod;
import io.berth.api.Requirement;
import io.berth.engine.rule.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Demands that no labels can satisfy together, and pods to be both near and far.
final class ContradictsItself implements LintRule {

  @Override
  public String id() {
    return "contradicts-itself";
  }

  @Override
  public String summary() {
    return "requirements that exclude each other";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var complaints = new ArrayList<Complaint>();
    checkNodes(linted, complaints);
    for (var rule : PodRule.of(linted.pod())) {
      checkSelector(linted, rule, complaints);
    }
    checkNearAndFar(linted, input, complaints);
    return complaints;
  }

  /// Whether the term matches no node, whatever its labels, as what it demands cannot be.
  static boolean isDead(NodeRule rule, Pod pod) {
    return rule.term().isEmpty() || rule.broken() != null || contradiction(rule, pod) != null;
  }

  private static void checkNodes(LintedPod linted, List<Complaint> complaints) {
    var pod = linted.pod();
    var rules = NodeRule.required(pod);
    boolean hopeless = rules.stream().allMatch(rule -> isDead(rule, pod));
    for (var rule : rules) {
      var clauses = rule.broken() == null ? contradiction(rule, pod) : null;
      if (clauses != null) {
        complaints.add(
            new Complaint(
                linted,
                Severity.of(hopeless && !linted.isPinned()),
                field(rule, clauses),
                "no node can satisfy " + shown(clauses),
                "expressions of one term must all hold: drop one, or make two terms of them"));
      }
    }
  }

  private static @Nullable List<Requirement> contradiction(NodeRule rule, Pod pod) {
    var labels = new Clauses().and(pod.spec().nodeSelector()).and(rule.term().matchExpressions());
    var fields = new Clauses().and(rule.term().matchFields());
    var found = labels.contradiction();
    return found == null ? fields.contradiction() : found;
  }

  // The last one is where the reader sees what it excludes.
  private static String field(NodeRule rule, List<Requirement> clauses) {
    var all = new ArrayList<>(rule.term().matchExpressions());
    all.addAll(rule.term().matchFields());
    for (var clause : clauses.reversed()) {
      if (all.contains(clause)) {
        return rule.fieldOf(clause);
      }
    }
    return rule.field();
  }

  private static void checkSelector(LintedPod linted, PodRule rule, List<Complaint> complaints) {
    var selector = rule.term().labelSelector();
    var clauses = selector == null ? null : Clauses.of(selector).contradiction();
    if (clauses != null) {
      boolean proven = rule.required() && !rule.apart() && !linted.isPinned();
      complaints.add(
          new Complaint(
              linted,
              Severity.of(proven),
              rule.field() + ".labelSelector",
              "%s: no pod can satisfy %s".formatted(rule.title(), shown(clauses)),
              "all clauses of a selector must hold: drop one, or list the values in one clause"));
    }
  }

  private static void checkNearAndFar(
      LintedPod linted, LintInput input, List<Complaint> complaints) {
    var rules = PodRule.of(linted.pod()).stream().filter(PodRule::required).toList();
    for (var far : rules) {
      boolean alsoNear =
          far.apart()
              && rules.stream().anyMatch(near -> !near.apart() && near.term().equals(far.term()));
      if (alsoNear) {
        complaints.add(
            new Complaint(
                linted,
                Severity.of(isRefused(linted, input)),
                far.field(),
                "pods with %s are to be both near and far, by %s"
                    .formatted(Labels.shown(far.selector()), far.term().topologyKey()),
                "keep one of the two, or use topology keys of different size"));
      }
    }
  }

  // The first of a group that means itself may start alone; the second may not.
  private static boolean isRefused(LintedPod linted, LintInput input) {
    int replicas = (int) Math.min(2, linted.replicas());
    var demand = Demand.of(linted.pod()).near().far();
    return !linted.isPinned()
        && !input.nodes().isEmpty()
        && input.proof().placeable(demand, replicas, List.of()) < replicas;
  }

  private static String shown(List<Requirement> clauses) {
    return clauses.stream().map(Labels::shown).collect(Collectors.joining(" and "));
  }
}
