package io.berth.bench;

import io.berth.api.Tree;
import java.util.List;
import java.util.Map;

/// The pods of the upstream performance tests (scheduler_perf), as the API server stores them.
final class Templates {

  static final String HOSTNAME = "kubernetes.io/hostname";
  static final String ZONE = "topology.kubernetes.io/zone";

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final List<String> BOTH = List.of("sched-0", "sched-1");

  private Templates() {}

  static Tree plain() {
    return pod(Map.of(), "100m", "500Mi", 0);
  }

  /// A pod with requests only.
  static Tree pod(Map<String, String> labels, String cpu, String memory, int priority) {
    var requests = Tree.of("cpu", cpu, "memory", memory);
    return Tree.of(
        "metadata",
        Tree.of("labels", labels),
        "spec",
        Tree.of(
            "containers",
            List.of(
                Tree.of(
                    "name",
                    "pause",
                    "image",
                    "pause:1",
                    "ports",
                    List.of(Tree.of("containerPort", 80, "protocol", "TCP")),
                    "resources",
                    Tree.of("requests", requests.copy(), "limits", requests.copy()))),
            "priority",
            priority,
            "preemptionPolicy",
            "PreemptLowerPriority"));
  }

  static Tree requiredNodeAffinity() {
    var term = expressions(ZONE, "In", "zone1", "zone2");
    return affinity(plain(), "nodeAffinity", REQUIRED, Tree.of("nodeSelectorTerms", List.of(term)));
  }

  static Tree preferredNodeAffinity() {
    return affinity(
        plain(),
        "nodeAffinity",
        PREFERRED,
        List.of(
            Tree.of("weight", 10, "preference", expressions(ZONE, "In", "zone1")),
            Tree.of("weight", 5, "preference", expressions(ZONE, "NotIn", "zone3"))));
  }

  static Tree podAffinity(Scope scope) {
    return affinity(colored("blue"), "podAffinity", REQUIRED, List.of(term("blue", ZONE, scope)));
  }

  static Tree podAntiAffinity(Scope scope) {
    return affinity(
        colored("green"), "podAntiAffinity", REQUIRED, List.of(term("green", HOSTNAME, scope)));
  }

  static Tree preferredPodAffinity(Scope scope) {
    return affinity(
        colored("red"), "podAffinity", PREFERRED, List.of(weighted(term("red", HOSTNAME, scope))));
  }

  static Tree preferredPodAntiAffinity(Scope scope) {
    return affinity(
        colored("yellow"),
        "podAntiAffinity",
        PREFERRED,
        List.of(weighted(term("yellow", HOSTNAME, scope))));
  }

  static Tree spread(String whenUnsatisfiable) {
    var pod = colored("blue");
    pod.child("spec")
        .put(
            "topologySpreadConstraints",
            List.of(
                Tree.of(
                    "maxSkew",
                    5,
                    "topologyKey",
                    ZONE,
                    "whenUnsatisfiable",
                    whenUnsatisfiable,
                    "labelSelector",
                    matchLabels("color", "blue"))));
    return pod;
  }

  /// Which namespaces a term looks at.
  enum Scope {
    NAMED,
    SELECTED
  }

  private static Tree colored(String color) {
    return pod(Map.of("color", color), "100m", "500Mi", 0);
  }

  private static Tree affinity(Tree pod, String kind, String when, Object terms) {
    pod.child("spec").child("affinity").child(kind).put(when, terms);
    return pod;
  }

  private static Tree term(String color, String key, Scope scope) {
    var term = Tree.of("labelSelector", matchLabels("color", color), "topologyKey", key);
    return switch (scope) {
      case NAMED -> term.put("namespaces", BOTH);
      case SELECTED -> term.put("namespaceSelector", matchLabels("team", "devops"));
    };
  }

  private static Tree weighted(Tree term) {
    return Tree.of("weight", 1, "podAffinityTerm", term);
  }

  private static Tree matchLabels(String key, String value) {
    return Tree.of("matchLabels", Tree.of(key, value));
  }

  private static Tree expressions(String key, String operator, String... values) {
    return Tree.of(
        "matchExpressions",
        List.of(Tree.of("key", key, "operator", operator, "values", List.of(values))));
  }
}
