package io.berth.quota;

import io.berth.api.Requirement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A set of nodes that is shared on its own: quotas, shares and evictions stay within a pool.
///
/// `nodes` are the label clauses that all its nodes match. A gang that has run for less than
/// `minRunTime` is not evicted. When the gang that waits longest has waited for `patience`, nobody
/// may overtake it by use beyond a deserved quota; and once it runs, it stays for as long again
/// unless others need what they deserve. A gang that lost pods and is below its minimum for longer
/// than `staleGrace` is ended. `history` weighs past use against the weights; `null` means that
/// only the present counts.
public record NodePool(
    String name,
    List<Requirement> nodes,
    Strategy strategy,
    Duration minRunTime,
    Duration patience,
    Duration staleGrace,
    @Nullable Long historyWeightMillis) {

  private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

  public static final Duration DEFAULT_PATIENCE = Duration.ofHours(1);
  public static final Duration DEFAULT_STALE_GRACE = Duration.ofSeconds(60);

  /// How pods are put on the nodes of the pool.
  public enum Strategy {
    /// The fullest node that still has room; gangs may be moved together to make room.
    BINPACK,
    /// The emptiest node; nothing is moved.
    SPREAD
  }

  public NodePool {
    nodes = List.copyOf(nodes);
    nodes.forEach(NodePool::check);
  }

  private static void check(Requirement clause) {
    if (!OPERATORS.contains(clause.operator())) {
      throw new IllegalArgumentException(
          "operator %s of label %s cannot define a node pool; use one of %s"
              .formatted(clause.operator(), clause.key(), String.join(", ", OPERATORS)));
    }
  }

  /// The nodes with a label pair, packed.
  public static NodePool of(String name, String labelKey, String labelValue) {
    return of(name, new Requirement(labelKey, "In", List.of(labelValue)));
  }

  /// The nodes without the label that other pools are made of.
  public static NodePool without(String name, String labelKey) {
    return of(name, new Requirement(labelKey, "DoesNotExist", List.of()));
  }

  private static NodePool of(String name, Requirement requirement) {
    return new NodePool(
        name,
        List.of(requirement),
        Strategy.BINPACK,
        Duration.ZERO,
        DEFAULT_PATIENCE,
        DEFAULT_STALE_GRACE,
        null);
  }

  public NodePool withMinRunTime(Duration time) {
    return new NodePool(name, nodes, strategy, time, patience, staleGrace, historyWeightMillis);
  }

  public NodePool withPatience(Duration time) {
    return new NodePool(name, nodes, strategy, minRunTime, time, staleGrace, historyWeightMillis);
  }

  public NodePool withHistoryWeight(long millis) {
    return new NodePool(name, nodes, strategy, minRunTime, patience, staleGrace, millis);
  }
}
