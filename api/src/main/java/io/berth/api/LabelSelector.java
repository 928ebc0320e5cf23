package io.berth.api;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Selects objects by label; all clauses must match, and no clause matches everything.
///
/// A selector that is absent in Kubernetes is `null` here: it matches nothing.
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {

  public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

  /// What an absent selector means where objects are selected by it.
  public static final LabelSelector NOTHING =
      new LabelSelector(Map.of(), List.of(new Requirement("", "In", List.of())));

  public LabelSelector {
    matchLabels = Map.copyOf(matchLabels);
    matchExpressions = List.copyOf(matchExpressions);
  }

  public static LabelSelector of(Map<String, String> matchLabels) {
    return new LabelSelector(matchLabels, List.of());
  }

  /// Of a `LabelSelector` in an object: an absent one selects nothing, `{}` everything.
  public static LabelSelector of(@Nullable Tree selector) {
    return selector == null
        ? NOTHING
        : new LabelSelector(
            selector.texts("matchLabels"),
            selector.trees("matchExpressions").stream().map(Requirement::of).toList());
  }

  public boolean isEmpty() {
    return matchLabels.isEmpty() && matchExpressions.isEmpty();
  }

  /// Whether `labels` satisfy every clause.
  public boolean matches(Map<String, String> labels) {
    for (var entry : matchLabels.entrySet()) {
      if (!entry.getValue().equals(labels.get(entry.getKey()))) {
        return false;
      }
    }
    for (var clause : matchExpressions) {
      if (!clause.matches(labels.get(clause.key()))) {
        return false;
      }
    }
    return true;
  }
}
