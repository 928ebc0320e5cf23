package io.berth.engine.decide;

import io.berth.api.LabelSelector;
import io.berth.api.Pod;
import io.berth.api.PodAffinity;
import io.berth.api.PodSpec;
import io.berth.engine.model.SelectedKeys;
import io.berth.engine.model.Shape;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What tells shapes apart for a view: labels count only if some selector looks at their key.
///
/// So the pods of a StatefulSet or of an indexed Job, each with a label of its own, share a view.
record ViewKey(
    String namespace,
    Map<String, String> labels,
    Pod.@Nullable OwnerReference controller,
    PodSpec spec) {

  static ViewKey of(Shape shape, SelectedKeys selected) {
    var own = keysOf(shape.spec());
    var labels = new HashMap<String, String>();
    shape
        .labels()
        .forEach((key, value) -> {
          if (selected.contains(key) || own.contains(key)) {
            labels.put(key, value);
          }
        });
    return new ViewKey(shape.namespace(), labels, shape.controller(), shape.spec());
  }

  /// The keys the pod's own selectors look at: it may match itself.
  private static Set<String> keysOf(PodSpec spec) {
    var keys = new HashSet<String>();
    add(spec.podAffinity(), keys);
    add(spec.podAntiAffinity(), keys);
    for (var constraint : spec.topologySpreadConstraints()) {
      add(constraint.labelSelector(), keys);
      keys.addAll(constraint.matchLabelKeys());
    }
    return keys;
  }

  private static void add(PodAffinity affinity, Set<String> keys) {
    affinity.required().forEach(term -> add(term.labelSelector(), keys));
    affinity.preferred().forEach(preferred -> add(preferred.term().labelSelector(), keys));
  }

  private static void add(@Nullable LabelSelector selector, Set<String> keys) {
    if (selector != null) {
      keys.addAll(selector.matchLabels().keySet());
      selector.matchExpressions().forEach(clause -> keys.add(clause.key()));
    }
  }
}
