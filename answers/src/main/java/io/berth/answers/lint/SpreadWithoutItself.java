package io.berth.answers.lint;

import io.berth.api.LabelSelector;
import io.berth.api.TopologySpreadConstraint;
import io.berth.engine.rule.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Spread constraints whose selector does not mean the pod that has them: they count others, and
/// the pod's own replicas pile up.
final class SpreadWithoutItself implements LintRule {

  /// Labels that controllers add to the pods they make.
  private static final Set<String> ADDED =
      Set.of(
          "pod-template-hash",
          "controller-revision-hash",
          "pod-template-generation",
          "statefulset.kubernetes.io/pod-name",
          "apps.kubernetes.io/pod-index",
          "batch.kubernetes.io/job-name",
          "batch.kubernetes.io/controller-uid",
          "batch.kubernetes.io/job-completion-index",
          "job-name",
          "controller-uid");

  @Override
  public String id() {
    return "spread-without-itself";
  }

  @Override
  public String summary() {
    return "a spread constraint that does not count the pod's own kind";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var complaints = new ArrayList<Complaint>();
    var constraints = linted.pod().spec().topologySpreadConstraints();
    for (int i = 0; i < constraints.size(); i++) {
      var problem = problem(constraints.get(i), linted);
      if (!problem.isEmpty()) {
        complaints.add(
            new Complaint(
                linted,
                Severity.WARNING,
                "spec.topologySpreadConstraints[" + i + "].labelSelector",
                problem,
                "select labels of the pod itself, such as those its owner selects"));
      }
    }
    return complaints;
  }

  private static String problem(TopologySpreadConstraint constraint, LintedPod linted) {
    var selector = constraint.labelSelector();
    if (selector == null) {
      return "without a labelSelector the constraint counts no pods";
    }
    if (selector.isEmpty()) {
      return "an empty labelSelector counts no pods here";
    }
    return looksAtAdded(selector) || selector.matches(linted.pod().labels())
        ? ""
        : "the constraint counts pods with %s, and the pod is none of them"
            .formatted(Labels.shown(selector));
  }

  private static boolean looksAtAdded(LabelSelector selector) {
    return selector.matchLabels().keySet().stream().anyMatch(ADDED::contains)
        || selector.matchExpressions().stream().anyMatch(each -> ADDED.contains(each.key()));
  }
}
