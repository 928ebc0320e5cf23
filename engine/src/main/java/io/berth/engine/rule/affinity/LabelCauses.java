package io.berth.engine.rule.affinity;

import io.berth.api.Node;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.PodSpec;
import io.berth.api.Requirement;
import io.berth.engine.Cause;
import io.berth.engine.rule.Labels;
import io.berth.engine.rule.NodeMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Which demands on a node's labels and name the node does not meet.
final class LabelCauses {

  private static final String RULE = "NodeAffinity";
  private static final String REQUIRED =
      "nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

  private final Node node;
  private final List<Cause> causes = new ArrayList<>();

  private LabelCauses(Node node) {
    this.node = node;
  }

  /// The demands of a pod, and of the profile for every pod, that the node does not meet.
  static List<Cause> of(Node node, PodSpec spec, List<NodeSelectorTerm> added) {
    var unmet = new LabelCauses(node);
    if (!added.isEmpty()) {
      var field = "addedAffinity." + REQUIRED.substring(REQUIRED.indexOf('.') + 1);
      unmet.terms(field, Cause.Source.PROFILE, added);
    }
    new TreeMap<>(spec.nodeSelector())
        .forEach((key, value) -> {
          if (!value.equals(node.labels().get(key))) {
            var field = "spec.nodeSelector[" + key + "]";
            unmet.add(field, Cause.Source.POD, key + "=" + value, unmet.label(key));
          }
        });
    var terms = spec.nodeAffinity().required();
    if (terms != null) {
      unmet.terms("spec.affinity." + REQUIRED, Cause.Source.POD, terms);
    }
    return unmet.causes;
  }

  /// Of terms the node need only meet one; when it does, none of them stands in the way.
  private void terms(String field, Cause.Source source, List<NodeSelectorTerm> terms) {
    if (NodeMatcher.of(terms).matches(node)) {
      return;
    }
    for (int i = 0; i < terms.size(); i++) {
      term(field + "[" + i + "]", source, terms.get(i));
    }
    if (terms.isEmpty()) {
      add(field, source, "one of no terms", "labels " + new TreeMap<>(node.labels()));
    }
  }

  private void term(String field, Cause.Source source, NodeSelectorTerm term) {
    if (term.isEmpty()) {
      add(field, source, "nothing, which matches no node", "labels " + node.labels());
    }
    var expressions = term.matchExpressions();
    for (int i = 0; i < expressions.size(); i++) {
      var alone = new NodeSelectorTerm(List.of(expressions.get(i)), List.of());
      var at = field + ".matchExpressions[" + i + "]";
      unmet(at, source, expressions.get(i), alone, label(expressions.get(i).key()));
    }
    var fields = term.matchFields();
    for (int i = 0; i < fields.size(); i++) {
      var alone = new NodeSelectorTerm(List.of(), List.of(fields.get(i)));
      var at = field + ".matchFields[" + i + "]";
      unmet(at, source, fields.get(i), alone, "metadata.name=" + node.name());
    }
  }

  private void unmet(
      String field, Cause.Source source, Requirement clause, NodeSelectorTerm alone, String found) {
    if (!NodeMatcher.of(List.of(alone)).matches(node)) {
      add(field, source, Labels.shown(clause), found);
    }
  }

  private String label(String key) {
    var value = node.labels().get(key);
    return value == null ? "no label " + key : key + "=" + value;
  }

  private void add(String field, Cause.Source source, String wanted, String found) {
    causes.add(new Cause(RULE, field, source, wanted, found));
  }
}
