package io.berth.controllers.runtime;

import io.berth.api.LabelSelector;
import io.berth.api.Tree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Selects objects by their labels.
public record Selector(LabelSelector labels) {

  public static final Selector EVERYTHING = new Selector(LabelSelector.EVERYTHING);

  /// Matches no object, as an absent selector does in Kubernetes.
  public static final Selector NOTHING = new Selector(LabelSelector.NOTHING);

  /// Of a `LabelSelector` object; `null` selects nothing, `{}` everything.
  public static Selector of(@Nullable Tree selector) {
    return new Selector(LabelSelector.of(selector));
  }

  /// Of a map of labels, as Services and ReplicationControllers have it.
  public static Selector ofLabels(Map<String, String> labels) {
    return new Selector(LabelSelector.of(labels));
  }

  public boolean isEmpty() {
    return labels.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    return this.labels.matches(labels);
  }

  public boolean matches(Tree object) {
    return matches(Meta.labels(object));
  }
}
