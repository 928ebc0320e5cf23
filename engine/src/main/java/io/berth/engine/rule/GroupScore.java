package io.berth.engine.rule;

/// A score that all nodes of a group have in common.
public interface GroupScore extends Grouping {

  /// The raw score of nodes that are left out: of normalisation, and of the sum.
  long IGNORED = Long.MIN_VALUE;

  /// Looks at the groups whose nodes passed the filters; asked when there are two nodes or more.
  default void begin(Feasible groups) {}

  long raw(int[] key);

  /// How raw scores become 0 to 100, given the least and the most of the feasible groups.
  Normalization normalization();

  /// The groups whose nodes passed the filters.
  interface Feasible {

    int count();

    int[] key(int group);

    /// How many nodes the group has.
    int nodes(int group);
  }
}
