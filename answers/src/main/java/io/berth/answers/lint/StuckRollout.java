package io.berth.answers.lint;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;

/// Deployments that fill every domain and may not take a pod away before its successor runs: the
/// successor finds no place.
///
/// A warning: the first rollout is fine.
final class StuckRollout implements LintRule {

  private static final String DEFAULT = "25%";

  @Override
  public String id() {
    return "rollout-needs-a-domain";
  }

  @Override
  public String summary() {
    return "a rolling update needs a domain more than there are";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var complaints = new ArrayList<Complaint>();
    var spec = linted.manifest().tree().treeOrEmpty("spec");
    if (!linted.manifest().kind().equals("Deployment") || !waitsForSuccessor(spec, linted)) {
      return complaints;
    }
    for (var rule : PodRule.of(linted.pod())) {
      int domains = TooFewDomains.domains(rule.term().topologyKey(), linted.pod(), input);
      if (TooFewDomains.keepsItselfApart(rule, linted.pod(), input)
          && domains == linted.replicas()
          && !isForOneVersion(spec)) {
        complaints.add(
            new Complaint(
                linted,
                Severity.WARNING,
                rule.field(),
                "all %d domains of %s are taken, and no pod may go before its successor runs"
                    .formatted(domains, rule.term().topologyKey()),
                "set strategy.rollingUpdate.maxUnavailable to 1 and maxSurge to 0, or add"
                    + " pod-template-hash to the term's matchLabelKeys"));
      }
    }
    return complaints;
  }

  // Rounded down, as in Kubernetes, where surge is rounded up.
  private static boolean waitsForSuccessor(Tree spec, LintedPod linted) {
    var strategy = spec.treeOrEmpty("strategy");
    if (strategy.textOrEmpty("type").equals("Recreate")) {
      return false;
    }
    var unavailable = strategy.treeOrEmpty("rollingUpdate").get("maxUnavailable");
    var surge = strategy.treeOrEmpty("rollingUpdate").get("maxSurge");
    return share(unavailable, linted.replicas()) == 0 && !isZero(surge);
  }

  private static boolean isZero(@org.jspecify.annotations.Nullable Object value) {
    return value != null && (value.equals(0L) || value.equals("0%"));
  }

  private static long share(@org.jspecify.annotations.Nullable Object value, long replicas) {
    if (value instanceof Long number) {
      return number;
    }
    var text = value instanceof String given ? given : DEFAULT;
    try {
      return Long.parseLong(text.replace("%", "").strip()) * replicas / 100;
    } catch (NumberFormatException e) {
      // The API server has more to say about it.
      return 1;
    }
  }

  private static boolean isForOneVersion(Tree spec) {
    return spec
        .treeOrEmpty("template", "spec", "affinity", "podAntiAffinity")
        .trees("requiredDuringSchedulingIgnoredDuringExecution")
        .stream()
        .anyMatch(term -> term.list("matchLabelKeys").contains("pod-template-hash"));
  }
}
