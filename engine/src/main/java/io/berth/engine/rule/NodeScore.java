package io.berth.engine.rule;

/// A score that has read the pod: what remains to be asked is the node.
@FunctionalInterface
public interface NodeScore {

  /// Scores nothing, and does not appear among the scores.
  NodeScore SKIP = _ -> 0;

  long raw(int node);

  /// Looks at the nodes that passed the filters; returns false to skip scoring after all.
  ///
  /// A rule whose score does so, or overrides [#normalize], watches the cluster. Throws
  /// [CycleException] where the pod's own spec makes scoring fail.
  default boolean begin(int[] feasible) {
    return true;
  }

  /// How raw scores become 0 to 100. By default they are already.
  default Normalization normalization() {
    return Normalization.NONE;
  }

  /// Turns raw scores of the feasible nodes into 0 to 100, in place.
  default void normalize(long[] scores, int[] feasible) {
    normalization().all(scores);
  }

  /// A raw score and how it is normalised.
  static NodeScore normalised(NodeScore raw, Normalization by) {
    return new NodeScore() {
      @Override
      public long raw(int node) {
        return raw.raw(node);
      }

      @Override
      public Normalization normalization() {
        return by;
      }
    };
  }
}
