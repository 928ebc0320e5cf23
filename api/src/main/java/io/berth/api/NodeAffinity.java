package io.berth.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which nodes a pod must or would rather run on. `required` is `null` when there is no such rule;
/// an empty list matches no node. The terms are alternatives.
public record NodeAffinity(@Nullable List<NodeSelectorTerm> required, List<Preferred> preferred) {

  public static final NodeAffinity NONE = new NodeAffinity(null, List.of());

  public NodeAffinity {
    required = required == null ? null : List.copyOf(required);
    preferred = List.copyOf(preferred);
  }

  public boolean isEmpty() {
    return required == null && preferred.isEmpty();
  }

  /// `weight` is added to the score of nodes that match.
  public record Preferred(int weight, NodeSelectorTerm preference) {}
}
