package io.berth.kinds.core;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `matchLabelKeys` and `mismatchLabelKeys` become part of the selectors when a pod is created: the
/// scheduler need not know the pod's own labels any more.
///
/// Mirrors: registry/core/pod.mutatePodAffinity, applyLabelKeysToLabelSelector
final class PodLabelKeys {

  private PodLabelKeys() {}

  static void merge(Tree pod) {
    var labels = pod.texts("metadata", "labels");
    var spec = pod.treeOrEmpty("spec");
    for (var kind : List.of("podAffinity", "podAntiAffinity")) {
      var affinity = spec.treeOrEmpty("affinity", kind);
      affinity
          .trees("requiredDuringSchedulingIgnoredDuringExecution")
          .forEach(term -> merge(term, labels));
      affinity
          .trees("preferredDuringSchedulingIgnoredDuringExecution")
          .forEach(term -> merge(term.treeOrEmpty("podAffinityTerm"), labels));
    }
    spec.trees("topologySpreadConstraints").forEach(constraint -> merge(constraint, labels));
  }

  private static void merge(Tree term, Map<String, String> labels) {
    var selector = term.tree("labelSelector");
    if (selector != null) {
      merge(selector, term.list("matchLabelKeys"), "In", labels);
      merge(selector, term.list("mismatchLabelKeys"), "NotIn", labels);
    }
  }

  private static void merge(
      Tree selector, List<@Nullable Object> keys, String operator, Map<String, String> labels) {
    for (var key : keys) {
      var value = labels.get(String.valueOf(key));
      if (value != null) {
        var values = new ArrayList<>(List.of(value));
        selector
            .childList("matchExpressions")
            .add(Tree.of("key", key, "operator", operator, "values", values));
      }
    }
  }
}
