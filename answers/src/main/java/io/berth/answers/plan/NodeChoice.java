package io.berth.answers.plan;

import io.berth.api.Node;
import java.util.Map;
import java.util.TreeMap;

/// Which nodes a step is about: one by name, or all that have these labels.
public record NodeChoice(String node, Map<String, String> labels) {

  static final String ZONE = "topology.kubernetes.io/zone";

  public NodeChoice {
    labels = Map.copyOf(labels);
  }

  boolean means(Node other) {
    return means(other.name(), other.labels());
  }

  /// Whether it means the node of this name with these labels.
  public boolean means(String name, Map<String, String> theirs) {
    return node.isEmpty()
        ? theirs.entrySet().containsAll(labels.entrySet())
        : name.equals(node);
  }

  /// As users write it: `zone=b`.
  @Override
  public String toString() {
    if (!node.isEmpty()) {
      return "node=" + node;
    }
    var text = new TreeMap<>(labels).toString();
    return text.substring(1, text.length() - 1).replace(ZONE + "=", "zone=");
  }
}
