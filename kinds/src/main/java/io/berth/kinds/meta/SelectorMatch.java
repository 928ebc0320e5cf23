package io.berth.kinds.meta;

import io.berth.api.Tree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Whether a label selector, as objects carry it, selects a set of labels.
public final class SelectorMatch {

  private SelectorMatch() {}

  /// An absent selector selects nothing, an empty one everything.
  public static boolean matches(@Nullable Tree selector, Map<String, String> labels) {
    if (selector == null) {
      return false;
    }
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
