package io.berth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Pods this one wants near or far, and what "near" means: nodes with equal values of a label.
///
/// A pod is meant when its namespace is listed **or** selected, and its labels are selected. With
/// neither namespaces nor selector, only the owner's namespace counts. A `null` label selector
/// matches nothing.
public record PodAffinityTerm(
    @Nullable LabelSelector labelSelector,
    List<String> namespaces,
    @Nullable LabelSelector namespaceSelector,
    String topologyKey) {

  public PodAffinityTerm {
    namespaces = List.copyOf(namespaces);
  }
}
