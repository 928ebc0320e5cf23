package io.berth.bench;

import io.berth.api.Tree;
import io.berth.bench.Templates.Scope;
import java.util.List;

/// A cluster and the pods that come.
///
/// `existing` and `incoming` take turns. `perNode` pods exist on every node, or one on every fifth
/// when a node takes only one (`exclusive`). `fits` says whether the pods that come find a place,
/// `outside` whether rules that are not Kubernetes' own decide too.
record Workload(
    String name,
    List<String> zones,
    List<Tree> existing,
    List<Tree> incoming,
    int perNode,
    boolean exclusive,
    boolean fits,
    boolean outside,
    int namespaces) {

  private static final List<String> ONE = List.of("zone1");
  private static final List<String> THREE = List.of("zone1", "zone2", "zone3");

  /// All of them, under the names the benchmark of kube-scheduler uses for the same.
  static List<Workload> all() {
    return List.of(
        same("plain", THREE, Templates.plain()),
        same("node-affinity-required", THREE, Templates.requiredNodeAffinity()),
        same("node-affinity-preferred", THREE, Templates.preferredNodeAffinity()),
        same("pod-affinity-zone", ONE, Templates.podAffinity(Scope.NAMED)),
        exclusive("pod-anti-affinity-hostname", Scope.NAMED),
        same("pod-affinity-preferred", THREE, Templates.preferredPodAffinity(Scope.NAMED)),
        same("pod-anti-affinity-preferred", THREE, Templates.preferredPodAntiAffinity(Scope.NAMED)),
        same("spread-hard-zone", THREE, Templates.spread("DoNotSchedule")),
        same("spread-soft-zone", THREE, Templates.spread("ScheduleAnyway")),
        mixed(),
        inNamespaces("pod-affinity-zone-ns", ONE, Templates.podAffinity(Scope.SELECTED)),
        exclusive("pod-anti-affinity-hostname-ns", Scope.SELECTED),
        inNamespaces(
            "pod-affinity-preferred-ns", THREE, Templates.preferredPodAffinity(Scope.SELECTED)),
        inNamespaces(
            "pod-anti-affinity-preferred-ns",
            THREE,
            Templates.preferredPodAntiAffinity(Scope.SELECTED)),
        preemption(),
        full(),
        withOutsideRules());
  }

  private static Workload withOutsideRules() {
    var plain = List.of(Templates.plain());
    return new Workload("outside-rule", THREE, plain, plain, 1, false, true, true, 2);
  }

  private static Workload same(String name, List<String> zones, Tree pod) {
    return new Workload(name, zones, List.of(pod), List.of(pod), 1, false, true, false, 2);
  }

  private static Workload inNamespaces(String name, List<String> zones, Tree pod) {
    return new Workload(name, zones, List.of(pod), List.of(pod), 1, false, true, false, 100);
  }

  private static Workload exclusive(String name, Scope scope) {
    var pod = Templates.podAntiAffinity(scope);
    int namespaces = scope == Scope.NAMED ? 2 : 100;
    return new Workload(name, THREE, List.of(pod), List.of(pod), 1, true, true, false, namespaces);
  }

  private static Workload mixed() {
    return new Workload(
        "mixed",
        ONE,
        List.of(
            Templates.plain(),
            Templates.podAffinity(Scope.NAMED),
            Templates.podAntiAffinity(Scope.NAMED),
            Templates.preferredPodAffinity(Scope.NAMED),
            Templates.preferredPodAntiAffinity(Scope.NAMED)),
        List.of(Templates.plain()),
        1,
        false,
        true,
        false,
        2);
  }

  private static Workload preemption() {
    var low = Templates.pod(java.util.Map.of(), "900m", "500Mi", 0);
    var high = Templates.pod(java.util.Map.of(), "3970m", "500Mi", 9_999_999);
    return new Workload(
        "preemption", THREE, List.of(low), List.of(high), 4, false, false, false, 2);
  }

  private static Workload full() {
    var plain = Templates.plain();
    return new Workload("full", THREE, List.of(plain), List.of(plain), 40, false, false, false, 2);
  }
}
