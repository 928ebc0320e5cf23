package io.berth.answers.lint;

import io.berth.api.Node;
import io.berth.api.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Topology keys that no node has, or not all of those the pod may run on.
final class MissingTopologyKey implements LintRule {

  private static final int SHOWN = 3;

  /// What labels are called since Kubernetes 1.17.
  private static final Map<String, String> RENAMED =
      Map.of(
          "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
          "topology.kubernetes.io/hostname", "kubernetes.io/hostname");

  @Override
  public String id() {
    return "topology-key-missing";
  }

  @Override
  public String summary() {
    return "nodes lack the label that a rule takes as its topology key";
  }

  @Override
  public List<Complaint> check(LintedPod linted, LintInput input) {
    var nodes = input.nodesFor(linted.pod());
    var complaints = new ArrayList<Complaint>();
    for (var use : uses(linted.pod())) {
      var lacking = nodes.stream().filter(node -> !node.labels().containsKey(use.key())).toList();
      if (!lacking.isEmpty()) {
        boolean all = lacking.size() == nodes.size();
        boolean proven = all && use.needsKey() && isRefused(linted, input);
        complaints.add(
            new Complaint(
                linted,
                Severity.of(proven),
                use.field() + ".topologyKey",
                message(use, lacking, nodes),
                fix(use)));
      }
    }
    return complaints;
  }

  private static List<Use> uses(Pod pod) {
    var uses = new ArrayList<Use>();
    for (var rule : PodRule.of(pod)) {
      boolean needed = rule.required() && !rule.apart();
      uses.add(new Use(rule.title(), rule.term().topologyKey(), rule.field(), needed));
    }
    var spread = pod.spec().topologySpreadConstraints();
    for (int i = 0; i < spread.size(); i++) {
      var each = spread.get(i);
      var at = "spec.topologySpreadConstraints[" + i + "]";
      uses.add(new Use(each.whenUnsatisfiable(), each.topologyKey(), at, each.isHard()));
    }
    return uses;
  }

  private static boolean isRefused(LintedPod linted, LintInput input) {
    return !linted.isPinned()
        && input.proof().refuses(Demand.of(linted.pod()).nodes().near().spread());
  }

  private static String message(Use use, List<Node> lacking, List<Node> nodes) {
    if (lacking.size() < nodes.size()) {
      return "%s: %d of %d nodes lack the label %s: %s"
          .formatted(use.title(), lacking.size(), nodes.size(), use.key(), names(lacking));
    }
    return "%s: no node has the label %s, so %s"
        .formatted(
            use.title(),
            use.key(),
            use.needsKey() ? "none is suitable" : "the rule never has an effect");
  }

  private static String names(List<Node> nodes) {
    var names = nodes.stream().limit(SHOWN).map(Node::name).toList();
    return String.join(", ", names) + (nodes.size() > SHOWN ? ", …" : "");
  }

  private static String fix(Use use) {
    var renamed = RENAMED.get(use.key());
    return renamed == null
        ? "label the nodes: kubectl label node NODE %s=VALUE; or use a key that all nodes have"
            .formatted(use.key())
        : "write " + renamed;
  }

  /// `needsKey` says that a node without the key is out.
  private record Use(String title, String key, String field, boolean needsKey) {}
}
