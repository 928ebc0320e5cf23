package io.berth.engine.explain;

import io.berth.api.LabelSelector;
import io.berth.api.PodAffinityTerm;
import io.berth.engine.Explanation.Cause;
import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Scope;
import io.berth.engine.model.Shape;
import io.berth.engine.model.Terms;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.affinity.InterPodAffinity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Which term of which pods InterPodAffinity's objection rests on.
final class AffinityCauses {

  private final Shape shape;
  private final ClusterModel cluster;

  AffinityCauses(Shape shape, ClusterModel cluster) {
    this.shape = shape;
    this.cluster = cluster;
  }

  /// The rule names its first objection only, and so does this.
  void of(Rejection rejection, int node, List<Cause> causes) {
    if (rejection.reasons().equals(InterPodAffinity.AFFINITY.reasons())) {
      missing(node, causes);
    } else if (rejection.reasons().equals(InterPodAffinity.ANTI_AFFINITY.reasons())) {
      unwanted(node, causes);
    } else {
      existing(node, causes);
    }
  }

  /// Places where no pod is that all terms of the pod mean: one pod has to meet them together.
  private void missing(int node, List<Cause> causes) {
    var terms = shape.spec().podAffinity().required();
    var wanted = terms.stream().map(term -> shown(term.labelSelector())).distinct();
    var shown = wanted.collect(Collectors.joining("; "));
    for (var term : terms) {
      var topology = cluster.topology(term.topologyKey());
      if (podsNear(node, topology, pod -> meetsAll(terms, pod)).isEmpty()) {
        add(causes, "no pod with %s where %s".formatted(shown, place(node, topology)), List.of());
      }
    }
  }

  private boolean meetsAll(List<PodAffinityTerm> terms, RunningPod pod) {
    return terms.stream().allMatch(term -> meets(term, pod));
  }

  private boolean meets(PodAffinityTerm term, RunningPod pod) {
    return cluster
        .terms()
        .matchesAll(
            List.of(Scope.of(term, shape.namespace())), pod.namespace(), pod.shape().labels());
  }

  private void unwanted(int node, List<Cause> causes) {
    for (var term : shape.spec().podAntiAffinity().required()) {
      var topology = cluster.topology(term.topologyKey());
      var near = podsNear(node, topology, pod -> meets(term, pod));
      if (!near.isEmpty()) {
        add(
            causes,
            "anti-affinity to pods with %s where %s"
                .formatted(shown(term.labelSelector()), place(node, topology)),
            near);
      }
    }
  }

  /// Running pods whose own anti-affinity keeps this pod away.
  private void existing(int node, List<Cause> causes) {
    Map<String, List<String>> owners = new TreeMap<>();
    for (var pod : cluster.pods()) {
      for (var term : pod.shape().spec().podAntiAffinity().required()) {
        var topology = cluster.topology(term.topologyKey());
        if (isNear(pod, node, topology)
            && Terms.meets(Scope.of(term, pod.namespace()), shape, cluster.terms())) {
          var detail =
              "pods there keep away pods with %s where %s"
                  .formatted(shown(term.labelSelector()), place(node, topology));
          var pods = owners.computeIfAbsent(detail, _ -> new ArrayList<>());
          if (!pods.contains(pod.key())) {
            pods.add(pod.key());
          }
        }
      }
    }
    owners.forEach((detail, pods) -> {
      pods.sort(null);
      add(causes, detail, pods);
    });
  }

  static String place(int node, Topology topology) {
    int domain = topology.domainOf(node);
    return domain == Topology.NONE
        ? "the node has no label " + topology.key()
        : topology.key() + "=" + topology.value(domain);
  }

  private static String shown(@Nullable LabelSelector selector) {
    if (selector == null) {
      return "labels that nothing selects";
    }
    var clauses = new ArrayList<String>();
    new TreeMap<>(selector.matchLabels()).forEach((key, value) -> clauses.add(key + "=" + value));
    selector.matchExpressions().forEach(clause -> clauses.add(LabelCauses.shown(clause)));
    return clauses.isEmpty() ? "any labels" : String.join(", ", clauses);
  }

  private List<String> podsNear(int node, Topology topology, Predicate<RunningPod> which) {
    var keys = new ArrayList<String>();
    for (var pod : cluster.pods()) {
      if (isNear(pod, node, topology) && which.test(pod)) {
        keys.add(pod.key());
      }
    }
    keys.sort(null);
    return keys;
  }

  private boolean isNear(RunningPod pod, int node, Topology topology) {
    int domain = topology.domainOf(node);
    return domain != Topology.NONE
        && cluster.nodes().isPresent(pod.node())
        && topology.domainOf(pod.node()) == domain;
  }

  private static void add(List<Cause> causes, String detail, List<String> pods) {
    causes.add(new Cause("InterPodAffinity", detail, pods));
  }
}
