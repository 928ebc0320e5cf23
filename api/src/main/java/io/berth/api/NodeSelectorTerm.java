package io.berth.api;

import java.util.List;

/// One alternative of a node selector: all expressions on labels and all on fields must match.
public record NodeSelectorTerm(List<Requirement> matchExpressions, List<Requirement> matchFields) {

  public NodeSelectorTerm {
    matchExpressions = List.copyOf(matchExpressions);
    matchFields = List.copyOf(matchFields);
  }

  /// An empty term matches no node.
  public boolean isEmpty() {
    return matchExpressions.isEmpty() && matchFields.isEmpty();
  }
}
