package io.berth.engine.model;

import io.berth.api.LabelSelector;
import io.berth.api.PodAffinityTerm;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which pods a term means: those in listed or selected namespaces whose labels are selected.
///
/// A `null` label selector means no pod, a `null` namespace selector selects no namespace.
public record Scope(
    Set<String> namespaces,
    @Nullable LabelSelector namespaceSelector,
    @Nullable LabelSelector selector) {

  public Scope {
    namespaces = Set.copyOf(namespaces);
  }

  /// The scope of an affinity term of a pod in `namespace`.
  public static Scope of(PodAffinityTerm term, String namespace) {
    boolean own = term.namespaces().isEmpty() && term.namespaceSelector() == null;
    return new Scope(
        own ? Set.of(namespace) : Set.copyOf(term.namespaces()),
        term.namespaceSelector(),
        term.labelSelector());
  }

  public boolean selects(Map<String, String> labels) {
    return selector != null && selector.matches(labels);
  }

  /// Whether pods of a namespace are meant; its labels are `null` when it does not exist.
  ///
  /// As in Kubernetes, a pending pod's own terms see existing namespaces only, unless the selector
  /// is empty and selects all; existing pods' terms see a missing namespace as one without labels.
  boolean covers(String namespace, @Nullable Map<String, String> labels, boolean asPending) {
    if (namespaces.contains(namespace)) {
      return true;
    }
    if (namespaceSelector == null) {
      return false;
    }
    if (namespaceSelector.isEmpty()) {
      return true;
    }
    return labels == null
        ? !asPending && namespaceSelector.matches(Map.of())
        : namespaceSelector.matches(labels);
  }
}
