package io.berth.answers.lint;

import io.berth.api.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// More replicas that must keep apart than there are domains to keep apart in.
final class TooFewDomains implements LintRule {

  private static final int SPARE = 2;

  @Override
  public String id() {
    return "replicas-exceed-domains";
  }

  @Override
  public String summary() {
    return "more replicas than domains, which must be apart";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var complaints = new ArrayList<Complaint>();
    if (linted.isPinned() || linted.isDaemon()) {
      return complaints;
    }
    for (var rule : PodRule.of(linted.pod())) {
      int domains = domains(rule.term().topologyKey(), linted.pod(), input);
      if (keepsItselfApart(rule, linted.pod(), input)
          && domains > 0
          && linted.replicas() > domains) {
        complaints.add(complaint(linted, rule, domains, input));
      }
    }
    return complaints;
  }

  static boolean keepsItselfApart(PodRule rule, Pod pod, LintInput input) {
    return rule.required() && rule.apart() && input.mayMean(rule, pod, pod);
  }

  /// Domains that the pod's labels and tolerations let it into.
  static int domains(String key, Pod pod, LintInput input) {
    var domains = new HashSet<String>();
    for (var node : input.nodesFor(pod)) {
      var domain = node.labels().get(key);
      if (domain != null && !pod.spec().isRepelledBy(node.taints())) {
        domains.add(domain);
      }
    }
    return domains.size();
  }

  private static Complaint complaint(LintedPod linted, PodRule rule, int domains, LintInput input) {
    // Nodes without the key take any number: then more than one for each domain finds a place.
    int tried = (int) Math.min(linted.replicas(), domains + (long) SPARE);
    var demand = Demand.of(linted.pod()).nodes().tolerations().far(rule.term());
    boolean refused = input.proof().placeable(demand, tried, List.of()) < tried;
    return new Complaint(
        linted,
        Severity.of(refused),
        rule.field(),
        "%d replicas must be apart by %s, and there are %d of these"
            .formatted(linted.replicas(), rule.term().topologyKey(), domains),
        "run at most %d replicas, or make the anti-affinity preferred".formatted(domains));
  }
}
