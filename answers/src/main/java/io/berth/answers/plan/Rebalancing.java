package io.berth.answers.plan;

import io.berth.answers.source.Survey;
import io.berth.api.Node;
import io.berth.engine.Decision;
import io.berth.engine.Engine;
import io.berth.engine.rule.NodeMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds moves that restore spread and preferences, one pod after the other.
///
/// A move is an eviction, and the scheduler's own choice for the pod that is made in its place:
/// what is planned is what happens. Only pods that somebody makes anew move, only where their
/// budget allows it at that moment, and only if no skew grows by it. Rules were never broken on the
/// way: the engine would not place the pod otherwise.
public final class Rebalancing {

  private final Survey survey;
  private final Engine engine;

  /// `engine` knows the survey, and nothing else; it is left as it was.
  public Rebalancing(Survey survey, Engine engine) {
    this.survey = survey;
    this.engine = engine;
  }

  /// At most so many moves, in the order in which they are to be made.
  public Rebalance find(int maxMoves) {
    try (var cluster = new ImaginedCluster(survey, engine, Chronicle.NONE)) {
      var evenness = new Evenness(cluster);
      var before = evenness.skews();
      var moves = new ArrayList<Rebalance.Move>();
      var moved = new HashSet<Integer>();
      while (moves.size() < maxMoves) {
        var best = best(cluster, evenness, moved);
        if (best == null) {
          break;
        }
        moves.add(make(best, cluster, evenness));
        moved.add(best.pod().lineage());
      }
      return new Rebalance(moves, evenness.declared(before), evenness.declared(evenness.skews()));
    }
  }

  private @Nullable Candidate best(ImaginedCluster cluster, Evenness evenness, Set<Integer> moved) {
    var budgets = cluster.budgets();
    Candidate best = null;
    for (var pod : cluster.pods()) {
      if (isMovable(pod) && !moved.contains(pod.lineage()) && hasWish(pod)) {
        var candidate = candidate(pod, cluster, evenness);
        if (candidate != null
            && (best == null || Candidate.BY_GAIN.compare(candidate, best) > 0)
            && budgets.allows(pod)) {
          best = candidate;
        }
      }
    }
    return best;
  }

  private boolean isMovable(Resident pod) {
    return !pod.isWaiting()
        && !pod.leftOver()
        && pod.isRemade()
        && pod.pod().spec().schedulingGates().isEmpty()
        && survey.isServed(pod.pod());
  }

  // Whoever neither spreads nor prefers has nothing to gain.
  private static boolean hasWish(Resident pod) {
    var spec = pod.pod().spec();
    return !spec.topologySpreadConstraints().isEmpty()
        || !spec.nodeAffinity().preferred().isEmpty();
  }

  /// Where the scheduler would put the pod now, if that is a gain; everything is as before then.
  private static @Nullable Candidate candidate(
      Resident pod, ImaginedCluster cluster, Evenness evenness) {
    var plan = cluster.plan();
    int mark = plan.checkpoint();
    try {
      plan.remove(pod.pod().reference());
      var again = pod.remade(pod.pod().name()).pod();
      if (!(plan.decide(again) instanceof Decision.Placed(var node, _))
          || node.equals(pod.node())) {
        return null;
      }
      var before = evenness.skews();
      evenness.change(pod.pod(), pod.node(), -1);
      evenness.change(pod.pod(), node, 1);
      var after = evenness.skews();
      evenness.change(pod.pod(), node, -1);
      evenness.change(pod.pod(), pod.node(), 1);
      long gain = preference(pod, node, cluster) - preference(pod, pod.node(), cluster);
      int evener = evenness.declared(before) - evenness.declared(after);
      boolean grows = grows(before, after);
      return grows || evener < 0 || (evener == 0 && gain <= 0)
          ? null
          : new Candidate(pod, node, evener, gain);
    } finally {
      plan.rollback(mark);
    }
  }

  private static boolean grows(int[] before, int[] after) {
    for (int i = 0; i < before.length; i++) {
      if (after[i] > before[i]) {
        return true;
      }
    }
    return false;
  }

  /// The weights of the pod's preferences that the node satisfies.
  private static long preference(Resident pod, String name, ImaginedCluster cluster) {
    var node = cluster.findNode(name).orElse(null);
    return node == null ? 0 : preference(pod, node);
  }

  private static long preference(Resident pod, Node node) {
    long sum = 0;
    for (var preferred : pod.pod().spec().nodeAffinity().preferred()) {
      if (NodeMatcher.of(List.of(preferred.preference())).matches(node)) {
        sum += preferred.weight();
      }
    }
    return sum;
  }

  private static Rebalance.Move make(Candidate move, ImaginedCluster cluster, Evenness evenness) {
    var pod = move.pod();
    cluster.vanish(pod);
    evenness.change(pod.pod(), pod.node(), -1);
    var again = pod.remade(cluster.nameLike(pod));
    cluster.addNew(again);
    cluster.place(again, move.node());
    evenness.change(again.pod(), move.node(), 1);
    return new Rebalance.Move(
        pod.first() == null ? pod.key() : pod.first().key(),
        Gauge.title(pod),
        pod.node(),
        move.node(),
        move.evener(),
        move.gain());
  }

  private record Candidate(Resident pod, String node, int evener, long gain) {

    /// Spread first, then preferences; of equals the first by name.
    static final Comparator<Candidate> BY_GAIN =
        Comparator.comparingInt(Candidate::evener)
            .thenComparingLong(Candidate::gain)
            .thenComparing(each -> each.pod().key(), Comparator.reverseOrder());
  }
}
