package io.berth.api;

import java.util.List;
import java.util.Map;

/// Selects objects by label; all clauses must match, and no clause matches everything.
///
/// A selector that is absent in Kubernetes is `null` here: it matches nothing.
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {

  public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

  public LabelSelector {
    matchLabels = Map.copyOf(matchLabels);
    matchExpressions = List.copyOf(matchExpressions);
  }

  public static LabelSelector of(Map<String, String> matchLabels) {
    return new LabelSelector(matchLabels, List.of());
  }

  public boolean isEmpty() {
    return matchLabels.isEmpty() && matchExpressions.isEmpty();
  }

  /// Whether `labels` satisfy every clause. As in Kubernetes, an absent key satisfies `NotIn`; a
  /// clause with an unknown operator matches nothing.
  public boolean matches(Map<String, String> labels) {
    for (var entry : matchLabels.entrySet()) {
      if (!entry.getValue().equals(labels.get(entry.getKey()))) {
        return false;
      }
    }
    for (var clause : matchExpressions) {
      if (!matches(clause, labels)) {
        return false;
      }
    }
    return true;
  }

  private static boolean matches(Requirement clause, Map<String, String> labels) {
    var value = labels.get(clause.key());
    return switch (clause.operator()) {
      case "In" -> value != null && clause.values().contains(value);
      case "NotIn" -> value == null || !clause.values().contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
