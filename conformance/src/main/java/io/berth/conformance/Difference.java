package io.berth.conformance;

import io.berth.api.Tree;

/// One place where an answer is not the recorded one.
///
/// `node` is empty when the difference is not about one node. `rule` is the plugin, or the field of
/// the answer when no plugin is to blame.
public record Difference(
    String caseId, int step, String node, String rule, String expected, String got) {

  /// One line for people.
  public String line() {
    var where = node.isEmpty() ? rule : node + " " + rule;
    return "%s step %d %s: expected %s, got %s".formatted(caseId, step, where, expected, got);
  }

  public Tree toTree() {
    return Tree.of(
        "case", caseId, "step", step, "node", node, "rule", rule, "expected", expected, "got", got);
  }
}
