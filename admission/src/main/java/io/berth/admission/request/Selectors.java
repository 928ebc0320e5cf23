package io.berth.admission.request;

import io.berth.api.Tree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Label selectors as objects carry them.
public final class Selectors {

  private Selectors() {}

  static boolean isEmpty(@Nullable Tree selector) {
    return selector == null
        || (selector.texts("matchLabels").isEmpty()
            && selector.trees("matchExpressions").isEmpty());
  }

  /// An empty selector selects everything.
  public static boolean matches(Tree selector, Map<String, String> labels) {
    for (var wanted : selector.texts("matchLabels").entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    return selector.trees("matchExpressions").stream().allMatch(each -> holds(each, labels));
  }

  private static boolean holds(Tree expression, Map<String, String> labels) {
    var value = labels.get(expression.textOrEmpty("key"));
    return switch (expression.textOrEmpty("operator")) {
      case "In" -> value != null && expression.list("values").contains(value);
      case "NotIn" -> value == null || !expression.list("values").contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
