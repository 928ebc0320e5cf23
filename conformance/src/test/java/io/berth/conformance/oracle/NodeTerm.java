package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One term of a node selector: expressions over labels and fields over the name, all ANDed.
record NodeTerm(List<Selector.Requirement> expressions, List<Selector.Requirement> fields) {

  static NodeTerm of(Tree term) {
    return new NodeTerm(
        Selector.requirements(term, "matchExpressions"),
        Selector.requirements(term, "matchFields"));
  }

  /// The terms of a node selector, or `null` when there is no node selector.
  static @Nullable List<NodeTerm> terms(@Nullable Tree selector) {
    return selector == null
        ? null
        : selector.trees("nodeSelectorTerms").stream().map(NodeTerm::of).toList();
  }

  /// Terms are ORed; no selector is no constraint, a selector without terms matches nothing.
  static boolean matches(@Nullable List<NodeTerm> terms, OracleNode node) {
    return terms == null || terms.stream().anyMatch(term -> term.matches(node));
  }

  boolean isEmpty() {
    return expressions.isEmpty() && fields.isEmpty();
  }

  boolean matches(OracleNode node) {
    return !isEmpty()
        && isValid()
        && expressions.stream().allMatch(each -> each.matches(node.labels()))
        && fields.stream().allMatch(each -> matchesName(each, node.name()));
  }

  boolean isValid() {
    return expressions.stream().allMatch(Selector.Requirement::isValid)
        && fields.stream().allMatch(NodeTerm::isValidField);
  }

  private static boolean isValidField(Selector.Requirement field) {
    return field.key().equals("metadata.name")
        && List.of("In", "NotIn").contains(field.operator())
        && field.values().size() == 1;
  }

  private static boolean matchesName(Selector.Requirement field, String name) {
    return field.operator().equals("In") == field.values().contains(name);
  }
}
