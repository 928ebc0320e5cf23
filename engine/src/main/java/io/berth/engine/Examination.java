package io.berth.engine;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything about one decision: every rule's verdict on every node, every score, the message.
///
/// `preFilter` is set when a plugin rejected the pod before any node was looked at. `restricted`
/// names the nodes a plugin left over before filtering. `feasible` and the columns of `scores` and
/// `total` share one order, by node name; scores exist only when two or more nodes are feasible.
/// `best` are the nodes with the highest total.
public record Examination(
    Decision decision,
    @Nullable Rejection preFilter,
    @Nullable Restriction restricted,
    boolean nominatedNodeUsed,
    Map<String, NodeRejection> infeasible,
    List<String> feasible,
    Map<String, ScoreColumn> scores,
    long[] total,
    List<String> best,
    @Nullable String error,
    @Nullable String filterMessage,
    @Nullable Preemption preemption,
    @Nullable String message) {

  /// Only `nodes` were looked at; all others count with `reason` in the message.
  public record Restriction(List<String> nodes, String reason) {

    public Restriction {
      nodes = List.copyOf(nodes);
    }
  }

  /// The first objection to a node, and all of them when every rule is asked by itself.
  public record NodeRejection(Rejection first, List<Rejection> all) {

    public NodeRejection {
      all = List.copyOf(all);
    }
  }

  /// One plugin's scores: as computed, normalised to 0..100, and the weight they count with;
  /// `summands` are the parts of the raw scores, empty unless they were asked for.
  public record ScoreColumn(long weight, long[] raw, long[] norm, List<List<Summand>> summands) {

    public ScoreColumn {
      summands = List.copyOf(summands);
    }
  }
}
