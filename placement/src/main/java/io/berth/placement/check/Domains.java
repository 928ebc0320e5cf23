package io.berth.placement.check;

import io.berth.answers.source.SurveyedPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Pods by the value of a label of their nodes.
///
/// @param byValue placed pods; values of nodes that are there, with a pod or without
/// @param homeless placed pods whose node has no such label
/// @param ready values that some ready node has
record Domains(
    String key,
    Map<String, List<SurveyedPod>> byValue,
    List<SurveyedPod> homeless,
    List<String> ready) {

  private static final int MOST_NAMED = 4;

  static Domains of(Situation situation, List<SurveyedPod> pods, String key) {
    var byValue = new TreeMap<String, List<SurveyedPod>>();
    var ready = new ArrayList<String>();
    for (var node : situation.nodes().values()) {
      var value = node.labels().get(key);
      if (value != null) {
        byValue.computeIfAbsent(value, _ -> new ArrayList<>());
        if (situation.isReady(node) && !ready.contains(value)) {
          ready.add(value);
        }
      }
    }
    var homeless = new ArrayList<SurveyedPod>();
    for (var pod : pods) {
      var node = situation.nodeOf(pod);
      if (node != null) {
        var value = node.labels().get(key);
        (value == null ? homeless : byValue.getOrDefault(value, homeless)).add(pod);
      }
    }
    ready.sort(null);
    return new Domains(key, byValue, homeless, ready);
  }

  int count(String value) {
    return byValue.getOrDefault(value, List.of()).size();
  }

  /// Over the domains that have a ready node.
  int skew() {
    int most = ready.stream().mapToInt(this::count).max().orElse(0);
    int least = ready.stream().mapToInt(this::count).min().orElse(0);
    return most - least;
  }

  boolean hasPods() {
    return !homeless.isEmpty() || byValue.values().stream().anyMatch(pods -> !pods.isEmpty());
  }

  /// `a has 3 (default/web-1 on node-1, …)`.
  String describe(String value) {
    var pods = byValue.getOrDefault(value, List.of());
    return pods.isEmpty()
        ? value + " has none"
        : "%s has %d (%s)".formatted(value, pods.size(), names(pods));
  }

  static String names(List<SurveyedPod> pods) {
    var named =
        pods.stream().limit(MOST_NAMED).map(Domains::name).collect(Collectors.joining(", "));
    return pods.size() > MOST_NAMED ? named + ", " + (pods.size() - MOST_NAMED) + " more" : named;
  }

  private static String name(SurveyedPod pod) {
    return pod.pod().nodeName().isEmpty()
        ? pod.pod().key()
        : pod.pod().key() + " on " + pod.pod().nodeName();
  }
}
