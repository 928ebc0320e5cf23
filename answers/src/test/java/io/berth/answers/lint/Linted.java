package io.berth.answers.lint;

import io.berth.answers.source.ManifestReader;
import io.berth.answers.source.Survey;
import java.util.List;

/// Lints a text as a file of its own.
final class Linted {

  /// Three nodes, two zones; the third has a taint and lacks the label disk.
  static final String NODES =
      """
      ---
      {apiVersion: v1, kind: Node, metadata: {name: n1, labels: {kubernetes.io/hostname: n1, zone: a, disk: ssd, gen: "5"}}}
      ---
      {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {kubernetes.io/hostname: n2, zone: b, disk: hdd, gen: "7"}}}
      ---
      apiVersion: v1
      kind: Node
      metadata: {name: n3, labels: {kubernetes.io/hostname: n3, zone: b}}
      spec: {taints: [{key: gpu, value: "yes", effect: NoSchedule}]}
      """;

  private Linted() {}

  static LintReport report(String text) {
    return new Lint(_ -> text).check(Survey.of(ManifestReader.read("test.yaml", text)));
  }

  /// What one rule found, as `error 12`: severity and line.
  static List<String> by(LintRule rule, String text) {
    return report(text).findings().stream()
        .filter(finding -> finding.rule().equals(rule.id()))
        .map(finding -> finding.severity() + " " + finding.line())
        .toList();
  }

  /// A pod whose spec begins in line 3.
  static String pod(String spec) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: p}},\nspec: {\n"
        + spec
        + ",\ncontainers: [{name: c}]}}\n";
  }

  /// The same with node affinity of one required term for each list of expressions.
  static String requiring(String... terms) {
    var text = new StringBuilder();
    for (var term : terms) {
      text.append(text.isEmpty() ? "" : ",\n")
          .append("{matchExpressions: [")
          .append(term)
          .append("]}");
    }
    return pod(
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " {nodeSelectorTerms: [\n"
            + text
            + "]}}}");
  }

  /// A Deployment whose pods have a list of terms about other pods, the first in line 6.
  static String deployment(String name, int replicas, String affinity, String... terms) {
    return """
    {apiVersion: apps/v1, kind: Deployment, metadata: {name: %s}, spec: {replicas: %d,
    selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {
    containers: [{name: c}],
    affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution: [

    %s]}}}}}}
    """
        .formatted(name, replicas, name, name, affinity, String.join(",\n", terms));
  }

  static String term(String app, String key) {
    return "{labelSelector: {matchLabels: {app: %s}}, topologyKey: %s}".formatted(app, key);
  }
}
