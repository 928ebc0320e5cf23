package io.berth.engine.rule;

/// A filter that says the same of all nodes in a group.
public interface GroupTest extends Grouping {

  /// Reads what holds for all groups in this decision.
  default void begin() {}

  /// What the rule says of the nodes with this key, as its [NodeTest] would of each of them.
  Verdict verdict(int[] key);
}
