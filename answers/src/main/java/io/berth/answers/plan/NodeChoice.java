package io.berth.answers.plan;

import io.berth.api.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which nodes a step is about: one by name, or all that have these labels.
public record NodeChoice(String node, Map<String, String> labels) {

  static final String ZONE = "topology.kubernetes.io/zone";

  private static final int MAX_NAMES = 10;

  public NodeChoice {
    labels = Map.copyOf(labels);
  }

  boolean means(Node other) {
    return means(other.name(), other.labels());
  }

  /// Whether it means the node of this name with these labels.
  public boolean means(String name, Map<String, String> theirs) {
    return node.isEmpty() ? theirs.entrySet().containsAll(labels.entrySet()) : name.equals(node);
  }

  /// What there is instead: `; the zones are a, c`.
  String hint(Collection<Node> nodes) {
    if (!node.isEmpty()) {
      return "; the nodes are " + some(nodes.stream().map(Node::name).toList());
    }
    var hints = new ArrayList<String>();
    for (var key : new TreeSet<>(labels.keySet())) {
      var values = new TreeSet<String>();
      nodes.forEach(each -> {
        var value = each.labels().get(key);
        if (value != null) {
          values.add(value);
        }
      });
      boolean isZone = key.equals(ZONE);
      hints.add(
          values.isEmpty()
              ? "no node has label " + key
              : "the %s are %s".formatted(isZone ? "zones" : "values of " + key, some(values)));
    }
    return "; " + String.join("; ", hints);
  }

  private static String some(Collection<String> names) {
    var first = names.stream().limit(MAX_NAMES).toList();
    int more = names.size() - first.size();
    return String.join(", ", first) + (more == 0 ? "" : " and %d more".formatted(more));
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
