package io.berth.engine.explain;

import io.berth.api.Node;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.PodSpec;
import io.berth.api.Requirement;
import io.berth.engine.Explanation.Cause;
import io.berth.engine.rule.NodeMatcher;
import java.util.List;
import java.util.TreeMap;

/// Which demands on a node's labels and name the node does not meet.
final class LabelCauses {

  private final Node node;
  private final List<Cause> causes;

  LabelCauses(Node node, List<Cause> causes) {
    this.node = node;
    this.causes = causes;
  }

  void of(PodSpec spec) {
    new TreeMap<>(spec.nodeSelector())
        .forEach((key, value) -> {
          if (!value.equals(node.labels().get(key))) {
            add("nodeSelector wants %s=%s, the node has %s".formatted(key, value, label(key)));
          }
        });
    var terms = spec.nodeAffinity().required();
    if (terms != null) {
      of("term", terms);
    }
  }

  /// Of terms the node need only meet one; when it does, none of them stands in the way.
  void of(String name, List<NodeSelectorTerm> terms) {
    if (NodeMatcher.of(terms).matches(node)) {
      return;
    }
    for (int i = 0; i < terms.size(); i++) {
      of(name + " " + i, terms.get(i));
    }
    if (terms.isEmpty()) {
      add("there is no " + name + " to match");
    }
  }

  private void of(String name, NodeSelectorTerm term) {
    if (term.isEmpty()) {
      add(name + " is empty, and matches no node");
    }
    for (var clause : term.matchExpressions()) {
      var alone = new NodeSelectorTerm(List.of(clause), List.of());
      unmet(name, clause, alone, label(clause.key()));
    }
    for (var clause : term.matchFields()) {
      var alone = new NodeSelectorTerm(List.of(), List.of(clause));
      unmet(name, clause, alone, "metadata.name=" + node.name());
    }
  }

  private void unmet(String name, Requirement clause, NodeSelectorTerm alone, String found) {
    if (!NodeMatcher.of(List.of(alone)).matches(node)) {
      add("%s wants %s, the node has %s".formatted(name, shown(clause), found));
    }
  }

  private String label(String key) {
    var value = node.labels().get(key);
    return value == null ? "no label " + key : key + "=" + value;
  }

  static String shown(Requirement clause) {
    var values = clause.values().isEmpty() ? "" : " " + clause.values();
    return clause.key() + " " + clause.operator() + values;
  }

  private void add(String detail) {
    causes.add(new Cause("NodeAffinity", detail, List.of()));
  }
}
