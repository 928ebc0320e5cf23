package io.berth.answers.lint;

import io.berth.api.NodeSelectorTerm;
import io.berth.api.Pod;
import io.berth.api.Requirement;
import io.berth.engine.rule.Labels;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A term of node affinity, and the path it stands at.
record NodeRule(NodeSelectorTerm term, boolean required, String field) {

  static final String REQUIRED =
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED =
      "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution";

  static List<NodeRule> required(Pod pod) {
    var terms = pod.spec().nodeAffinity().required();
    var rules = new ArrayList<NodeRule>();
    for (int i = 0; terms != null && i < terms.size(); i++) {
      rules.add(new NodeRule(terms.get(i), true, REQUIRED + ".nodeSelectorTerms[" + i + "]"));
    }
    return rules;
  }

  static List<NodeRule> preferred(Pod pod) {
    var terms = pod.spec().nodeAffinity().preferred();
    var rules = new ArrayList<NodeRule>();
    for (int i = 0; i < terms.size(); i++) {
      var at = PREFERRED + "[" + i + "].preference";
      rules.add(new NodeRule(terms.get(i).preference(), false, at));
    }
    return rules;
  }

  /// A clause that Kubernetes cannot parse, or `null`.
  @Nullable Requirement broken() {
    for (var clause : term.matchExpressions()) {
      if (Labels.problemWith(clause) != null) {
        return clause;
      }
    }
    return null;
  }

  String fieldOf(Requirement clause) {
    int expression = term.matchExpressions().indexOf(clause);
    return expression >= 0
        ? field + ".matchExpressions[" + expression + "]"
        : field + ".matchFields[" + term.matchFields().indexOf(clause) + "]";
  }
}
