package io.berth.controllers.runtime;

import io.berth.api.Tree;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Whether a node is one that a pod's node selector and required node affinity allow.
public final class NodeSelectors {

  private NodeSelectors() {}

  /// Reads `nodeSelector` and `affinity.nodeAffinity.required…` of a pod spec.
  public static boolean allow(Tree podSpec, Tree node) {
    var labels = Meta.labels(node);
    for (var wanted : podSpec.texts("nodeSelector").entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    var required =
        podSpec.tree("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
    return required == null || matches(required, node);
  }

  /// The terms are alternatives; an empty term matches nothing.
  public static boolean matches(Tree nodeSelector, Tree node) {
    var labels = Meta.labels(node);
    for (var term : nodeSelector.trees("nodeSelectorTerms")) {
      if (matchesTerm(term, labels, Meta.name(node))) {
        return true;
      }
    }
    return false;
  }

  private static boolean matchesTerm(Tree term, Map<String, String> labels, String name) {
    var expressions = term.trees("matchExpressions");
    var fields = term.trees("matchFields");
    if (expressions.isEmpty() && fields.isEmpty()) {
      return false;
    }
    for (var expression : expressions) {
      if (!holds(expression, labels.get(expression.textOrEmpty("key")))) {
        return false;
      }
    }
    for (var field : fields) {
      if (!field.textOrEmpty("key").equals("metadata.name") || !holds(field, name)) {
        return false;
      }
    }
    return true;
  }

  private static boolean holds(Tree expression, @Nullable String value) {
    var values = expression.list("values");
    return switch (expression.textOrEmpty("operator")) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> compare(value, values) > 0;
      case "Lt" -> compare(value, values) < 0;
      default -> false;
    };
  }

  /// 0 also when one side is no integer: then neither Gt nor Lt holds.
  private static int compare(@Nullable String value, List<@Nullable Object> values) {
    if (value == null || values.size() != 1 || !(values.getFirst() instanceof String bound)) {
      return 0;
    }
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(bound));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
