package io.berth.engine.rule;

import io.berth.api.Node;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.PodSpec;
import io.berth.api.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A node selector, parsed: which nodes it matches.
///
/// As in Kubernetes, terms are alternatives, an empty term matches nothing, and a term that cannot
/// be parsed never matches.
public final class NodeMatcher {

  private static final NodeMatcher ALL = new NodeMatcher(Map.of(), null);

  private final Map<String, String> labels;
  private final @Nullable List<Term> terms;

  private NodeMatcher(Map<String, String> labels, @Nullable List<Term> terms) {
    this.labels = labels;
    this.terms = terms;
  }

  /// What a pod's nodeSelector and required node affinity demand together.
  public static NodeMatcher required(PodSpec spec) {
    var required = spec.nodeAffinity().required();
    if (required == null && spec.nodeSelector().isEmpty()) {
      return ALL;
    }
    return new NodeMatcher(spec.nodeSelector(), required == null ? null : parse(required));
  }

  public static NodeMatcher of(List<NodeSelectorTerm> terms) {
    return new NodeMatcher(Map.of(), parse(terms));
  }

  private static List<Term> parse(List<NodeSelectorTerm> terms) {
    var parsed = new ArrayList<Term>();
    for (var term : terms) {
      if (!term.isEmpty()) {
        parsed.add(new Term(term));
      }
    }
    return parsed;
  }

  public boolean matchesAll() {
    return labels.isEmpty() && terms == null;
  }

  public boolean matches(Node node) {
    return matches(node.labels(), node.name());
  }

  /// As the node affinity of volumes is asked: without the node's name, demands on it count as met.
  public boolean matchesLabels(Map<String, String> nodeLabels) {
    return matches(nodeLabels, null);
  }

  private boolean matches(Map<String, String> nodeLabels, @Nullable String nodeName) {
    for (var entry : labels.entrySet()) {
      if (!entry.getValue().equals(nodeLabels.get(entry.getKey()))) {
        return false;
      }
    }
    if (terms == null) {
      return true;
    }
    for (var term : terms) {
      if (term.matches(nodeLabels, nodeName)) {
        return true;
      }
    }
    return false;
  }

  /// One alternative; [#problem()] says why it cannot be parsed.
  public static final class Term {

    private final NodeSelectorTerm term;
    private final @Nullable String problem;

    public Term(NodeSelectorTerm term) {
      this.term = term;
      this.problem = findProblem(term);
    }

    public @Nullable String problem() {
      return problem;
    }

    public boolean matches(Node node) {
      return matches(node.labels(), node.name());
    }

    private boolean matches(Map<String, String> nodeLabels, @Nullable String nodeName) {
      if (problem != null) {
        return false;
      }
      for (var clause : term.matchExpressions()) {
        if (!clause.matches(nodeLabels.get(clause.key()))) {
          return false;
        }
      }
      for (var clause : nodeName == null ? List.<Requirement>of() : term.matchFields()) {
        var value = clause.key().equals("metadata.name") ? nodeName : "";
        if (clause.operator().equals("In") != clause.values().get(0).equals(value)) {
          return false;
        }
      }
      return true;
    }

    private static @Nullable String findProblem(NodeSelectorTerm term) {
      for (var clause : term.matchExpressions()) {
        var problem = Labels.problemWith(clause);
        if (problem != null) {
          return problem;
        }
      }
      for (var clause : term.matchFields()) {
        if (!clause.operator().equals("In") && !clause.operator().equals("NotIn")) {
          return "\"%s\" is not a valid node selector operator".formatted(clause.operator());
        }
        if (clause.values().size() != 1) {
          return "Invalid value: must have one element";
        }
      }
      return null;
    }
  }
}
