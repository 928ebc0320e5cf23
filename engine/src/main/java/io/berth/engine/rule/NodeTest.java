package io.berth.engine.rule;

import io.berth.engine.model.Shape;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A filter that has read the pod: what remains to be asked is the node.
@FunctionalInterface
public interface NodeTest {

  /// Objects to no node: as in Kubernetes, the filter is skipped.
  NodeTest ALL = _ -> Verdict.FITS;

  int NO_FACTS = -1;

  /// The least [#burden] of a pod that might do alone.
  double ALONE = 1;

  Verdict verdict(int node);

  /// The rule's objection to the pod as such, before any node is looked at.
  default Verdict.@Nullable Unfit veto() {
    return null;
  }

  /// The names of the only nodes worth looking at, or `null` for all.
  default @Nullable Set<String> onlyNodes() {
    return null;
  }

  /// Tells the test that, for a trial on one node, a pod comes (`sign` 1) or goes (-1) there.
  ///
  /// The node's columns already show it; only what the test counted elsewhere needs adjusting.
  default void pretend(Shape pod, int node, int sign) {}

  /// Ends the trial: the cluster is as it was when the test was made.
  default void endTrial() {}

  /// How much of what the test lacks on the node would be there without the pod: from 0, as if the
  /// pod were not there at all, to [#ALONE], maybe all of it. Where fewer heavy pods do as well as
  /// many light ones, the heavy ones are to blame.
  default double burden(Shape pod, int node) {
    return ALONE;
  }

  /// How many numbers decide, with the pods that might be evicted, what a trial on a node comes to;
  /// [#NO_FACTS] if numbers cannot. Nodes with equal facts share one trial.
  default int facts() {
    return NO_FACTS;
  }

  /// Reads the facts of a node from a place on; false if the node is a case of its own.
  default boolean readFacts(int node, long[] facts, int at) {
    return false;
  }

  /// A test that only says no to the pod as such.
  static NodeTest veto(String reason) {
    var unfit = Verdict.unresolvable(reason);
    return new NodeTest() {
      @Override
      public Verdict verdict(int node) {
        return unfit;
      }

      @Override
      public Verdict.@Nullable Unfit veto() {
        return unfit;
      }
    };
  }
}
