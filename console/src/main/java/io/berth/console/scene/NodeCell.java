package io.berth.console.scene;

import io.berth.api.Tree;
import java.util.Map;

/// A node as the map shows it.
public record NodeCell(
    String name, Map<String, String> labels, boolean ready, boolean cordoned, Room offers) {

  public NodeCell {
    labels = Map.copyOf(labels);
  }

  static NodeCell of(Tree node) {
    return new NodeCell(
        node.textOrEmpty("metadata", "name"),
        node.texts("metadata", "labels"),
        isReady(node),
        node.flag("spec", "unschedulable"),
        Room.offeredBy(node));
  }

  private static boolean isReady(Tree node) {
    return node.trees("status", "conditions").stream()
        .anyMatch(condition ->
            condition.textOrEmpty("type").equals("Ready")
                && condition.textOrEmpty("status").equals("True"));
  }
}
