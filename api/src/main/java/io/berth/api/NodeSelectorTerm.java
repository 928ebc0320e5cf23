package io.berth.api;

import java.util.List;
import java.util.Map;

/// One alternative of a node selector: all expressions on labels and all on fields must match.
public record NodeSelectorTerm(List<Requirement> matchExpressions, List<Requirement> matchFields) {

  public NodeSelectorTerm {
    matchExpressions = List.copyOf(matchExpressions);
    matchFields = List.copyOf(matchFields);
  }

  public static NodeSelectorTerm of(Tree term) {
    return new NodeSelectorTerm(
        term.trees("matchExpressions").stream().map(Requirement::of).toList(),
        term.trees("matchFields").stream().map(Requirement::of).toList());
  }

  /// An empty term matches no node.
  public boolean isEmpty() {
    return matchExpressions.isEmpty() && matchFields.isEmpty();
  }

  /// The only field of a node that can be asked for is `metadata.name`.
  public boolean matches(Map<String, String> labels, String name) {
    for (var clause : matchExpressions) {
      if (!clause.matches(labels.get(clause.key()))) {
        return false;
      }
    }
    for (var clause : matchFields) {
      if (!clause.matches(clause.key().equals("metadata.name") ? name : "")) {
        return false;
      }
    }
    return !isEmpty();
  }
}
