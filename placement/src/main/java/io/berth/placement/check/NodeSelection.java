package io.berth.placement.check;

import io.berth.api.Node;
import io.berth.api.Tree;
import java.util.List;
import java.util.Map;

/// Which nodes a check is about: those with these labels, or those of these names.
record NodeSelection(Map<String, String> labels, List<String> names) {

  static NodeSelection of(Tree check, String field) {
    return check.get(field) instanceof Tree
        ? new NodeSelection(check.texts(field), List.of())
        : new NodeSelection(Map.of(), check.list(field).stream().map(String::valueOf).toList());
  }

  boolean means(Node node) {
    return names.isEmpty()
        ? node.labels().entrySet().containsAll(labels.entrySet())
        : names.contains(node.name());
  }

  boolean isEmptyIn(Situation situation) {
    return situation.nodes().values().stream().noneMatch(this::means);
  }

  @Override
  public String toString() {
    return names.isEmpty() ? Labels.text(labels) : String.join(", ", names);
  }
}
