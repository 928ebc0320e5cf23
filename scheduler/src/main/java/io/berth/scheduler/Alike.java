package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.api.PodSpec;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What pods have in common that neither a decision nor an event can tell apart.
///
/// The queue keeps one instance for all such pods, so that a million replicas cost one question.
record Alike(
    String namespace, Map<String, String> labels, PodSpec spec, Pod.@Nullable Group group) {

  static Alike of(Pod pod) {
    return new Alike(pod.namespace(), pod.labels(), pod.spec(), pod.group());
  }
}
