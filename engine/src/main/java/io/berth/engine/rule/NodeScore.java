package io.berth.engine.rule;

/// A score that has read the pod: what remains to be asked is the node.
@FunctionalInterface
public interface NodeScore {

  /// Scores nothing, and does not appear among the scores.
  NodeScore SKIP = _ -> 0;

  long raw(int node);

  /// Looks at the nodes that passed the filters; returns false to skip scoring after all.
  ///
  /// Throws [CycleException] where the pod's own spec makes scoring fail.
  default boolean begin(int[] feasible) {
    return true;
  }

  /// Turns raw scores of the feasible nodes into 0..100, in place. By default they are already.
  default void normalize(long[] scores, int[] feasible) {}
}
