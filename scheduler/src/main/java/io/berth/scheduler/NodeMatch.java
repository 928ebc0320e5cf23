package io.berth.scheduler;

import io.berth.api.Node;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import io.berth.api.Requirement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whether a node satisfies a pod's node selector and required node affinity.
final class NodeMatch {

  private NodeMatch() {}

  static boolean matches(Pod pod, Node node) {
    var spec = pod.spec();
    return node.labels().entrySet().containsAll(spec.nodeSelector().entrySet())
        && matches(spec.nodeAffinity().required(), node);
  }

  private static boolean matches(@Nullable List<NodeSelectorTerm> alternatives, Node node) {
    if (alternatives == null) {
      return true;
    }
    for (var term : alternatives) {
      if (!term.isEmpty() && matches(term, node)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(NodeSelectorTerm term, Node node) {
    for (var clause : term.matchExpressions()) {
      if (!matches(clause, node.labels().get(clause.key()))) {
        return false;
      }
    }
    for (var clause : term.matchFields()) {
      if (!matches(clause, node.name())) {
        return false;
      }
    }
    return true;
  }

  private static boolean matches(Requirement clause, @Nullable String value) {
    return switch (clause.operator()) {
      case "In" -> value != null && clause.values().contains(value);
      case "NotIn" -> value == null || !clause.values().contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> compares(clause, value, 1);
      case "Lt" -> compares(clause, value, -1);
      default -> false;
    };
  }

  private static boolean compares(Requirement clause, @Nullable String value, int sign) {
    if (value == null || clause.values().size() != 1) {
      return false;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(clause.values().getFirst()))
          == sign;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
