package io.berth.answers.plan;

import io.berth.answers.explain.PodExplanation;
import io.berth.api.Tree;
import java.util.List;

/// The answer to `berth rebalance`: moves to be made one after the other, and what they gain.
///
/// @param skewBefore the skews of all spread constraints together
public record Rebalance(List<Move> moves, int skewBefore, int skewAfter) {

  public Rebalance {
    moves = List.copyOf(moves);
  }

  /// An eviction, and where the pod that is made in its place goes.
  ///
  /// @param evener by how much the skews become less
  /// @param gain the weight of preferences that hold then and did not before
  public record Move(String pod, String owner, String from, String to, int evener, long gain) {

    Tree toTree() {
      return Tree.of("pod", pod, "owner", owner, "from", from, "to", to)
          .put("skew", -evener)
          .put("preference", gain);
    }
  }

  public Tree toTree() {
    return Tree.of("apiVersion", PodExplanation.API_VERSION, "kind", "Rebalance")
        .put("moves", moves.stream().map(Move::toTree).toList())
        .put("skew", Tree.of("before", skewBefore, "after", skewAfter));
  }
}
