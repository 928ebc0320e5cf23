package io.berth.answers.explain;

import io.berth.api.ClusterObject;
import io.berth.api.Container;
import io.berth.api.LabelSelector;
import io.berth.api.Namespace;
import io.berth.api.NodeAffinity;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodAffinityTerm;
import io.berth.api.PodSpec;
import io.berth.api.PodStatus;
import io.berth.api.Requirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Pods that all required affinity terms of a pod mean at once, and that want nothing themselves.
///
/// Which labels they have matters: the pod may avoid some of them, or count them when it spreads.
/// All labels that its selectors can tell apart are thought of, as far as [#MAX] goes.
final class Company {

  private static final int MAX = 4_096;
  private static final int MAX_OFFERED = 64;

  private final Pod pod;
  private final Map<String, Map<String, String>> namespaces = new TreeMap<>();

  Company(Pod pod, Collection<? extends ClusterObject> surroundings) {
    this.pod = pod;
    namespaces.put(pod.namespace(), Map.of());
    for (var term : pod.spec().podAffinity().required()) {
      term.namespaces().forEach(name -> namespaces.put(name, Map.of()));
    }
    for (var object : surroundings) {
      if (object instanceof Namespace(var name, var labels)) {
        namespaces.put(name, labels);
      }
    }
  }

  /// Those that differ for the pod, such as it does not avoid first.
  List<Pod> candidates() {
    var found = new ArrayList<Pod>();
    var labels = labels();
    namespaces.forEach((name, own) -> {
      for (var each : labels) {
        boolean meant =
            pod.spec().podAffinity().required().stream()
                .allMatch(term -> means(term, name, own, each));
        if (meant && found.size() < MAX_OFFERED) {
          found.add(idle(name, each));
        }
      }
    });
    return found;
  }

  private boolean means(
      PodAffinityTerm term, String namespace, Map<String, String> own, Map<String, String> labels) {
    var selected = term.namespaceSelector();
    boolean near =
        (term.namespaces().isEmpty() && selected == null)
            ? namespace.equals(pod.namespace())
            : term.namespaces().contains(namespace) || (selected != null && selected.matches(own));
    return near && term.labelSelector() != null && term.labelSelector().matches(labels);
  }

  /// Every way to have or lack the labels that the pod's selectors look at.
  private List<Map<String, String>> labels() {
    var values = new TreeMap<String, Set<String>>();
    var spec = pod.spec();
    spec.podAffinity().required().forEach(term -> collect(term.labelSelector(), values));
    spec.podAntiAffinity().required().forEach(term -> collect(term.labelSelector(), values));
    spec.topologySpreadConstraints().forEach(each -> collect(each.labelSelector(), values));
    var ways = new ArrayList<Map<String, String>>(List.of(Map.of()));
    values.forEach((key, some) -> {
      var before = List.copyOf(ways);
      for (var value : some) {
        for (var way : before) {
          if (ways.size() < MAX) {
            var with = new HashMap<>(way);
            with.put(key, value);
            ways.add(with);
          }
        }
      }
    });
    return ways;
  }

  private static void collect(@Nullable LabelSelector selector, Map<String, Set<String>> values) {
    if (selector == null) {
      return;
    }
    selector
        .matchLabels()
        .forEach((key, value) -> values.computeIfAbsent(key, _ -> new TreeSet<>()).add(value));
    for (Requirement clause : selector.matchExpressions()) {
      var known = values.computeIfAbsent(clause.key(), _ -> new TreeSet<>());
      known.addAll(clause.values());
      known.add("any");
    }
  }

  private Pod idle(String namespace, Map<String, String> labels) {
    var spec =
        new PodSpec(
            List.of(),
            List.of(new Container("idle", "", Map.of(), List.of(), false, List.of())),
            Map.of(),
            null,
            Map.of(),
            NodeAffinity.NONE,
            PodAffinity.NONE,
            PodAffinity.NONE,
            List.of(),
            List.of(),
            pod.priority(),
            false,
            pod.spec().schedulerName(),
            List.of(),
            List.of(),
            List.of(),
            List.of());
    return new Pod(namespace, "idle", "idle", labels, null, false, "", spec, PodStatus.NONE);
  }
}
