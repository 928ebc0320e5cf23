package io.berth.engine.rule;

import io.berth.engine.Blame;
import io.berth.engine.Cause;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is behind a rule's objections to one shape: asked only for nodes to which it objects, by
/// node, answered as far as possible by term and domain.
@FunctionalInterface
public interface Causes {

  Causes UNKNOWN = _ -> Why.UNKNOWN;

  Why of(int node);

  /// Whether the pods to blame are found by taking pods off the node itself. By default they are,
  /// where the rule watches these; otherwise [Why#blame()] has to name them.
  default boolean areOnTheNode(FilterRule rule) {
    return rule.watches().contains(Watch.PODS_ON_NODE) && !rule.watches().contains(Watch.CLUSTER);
  }

  /// Causes, and the pods to blame if there are any. Nodes with the same instance are one entry.
  record Why(List<Cause> causes, @Nullable Blame blame) {

    public static final Why UNKNOWN = new Why(List.of(), null);

    public Why {
      causes = List.copyOf(causes);
    }
  }
}
