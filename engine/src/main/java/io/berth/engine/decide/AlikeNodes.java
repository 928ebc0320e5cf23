package io.berth.engine.decide;

import io.berth.engine.Rejection;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.NodeTable;
import io.berth.engine.model.PodList;
import io.berth.engine.model.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Runs one trial for nodes that no rule can tell apart: same offer, same use, same possible
/// victims in the same order of importance.
///
/// Only for rules that look at nodes alone and name the facts they decide by, and without
/// disruption budgets. A node that a rule calls a case of its own, or refuses for itself, has its
/// own trial. What decides a trial is read into two arrays and looked up in an open table: a node
/// like one before allocates nothing.
final class AlikeNodes {

  private final Cycle cycle;
  private final ClusterModel cluster;
  private final NodeTable nodes;
  private final long[] facts;
  private Shape[] victims = new Shape[8];
  private int victimCount;
  private @Nullable Situation[] table = new Situation[16];
  private int known;

  /// What decides a trial, and what it came to: an objection, or harm and the place of the most
  /// important victim among the possible ones.
  private record Situation(
      long[] facts, Shape[] victims, @Nullable Rejection rejection, Victims.Harm harm, int top) {}

  AlikeNodes(Cycle cycle, ClusterModel cluster) {
    this.cycle = cycle;
    this.cluster = cluster;
    this.nodes = cluster.nodes();
    this.facts = new long[cycle.facts()];
  }

  void visit(int node, VictimChoice choice) {
    var pods = nodes.pods(node);
    int first = pods.firstBelow(cycle.shape().priority());
    if (first == pods.size()) {
      choice.reject(Trial.NO_VICTIMS);
      return;
    }
    if (!cycle.readFacts(node, facts) || cycle.isRefusedByNode(node)) {
      choice.take(node, new Trial(cycle, cluster, node).outcome());
      return;
    }
    readVictims(pods, first);
    var situation = table[slot()];
    if (situation == null) {
      situation = remember(new Trial(cycle, cluster, node).outcome(), pods, first);
    }
    if (situation.rejection() != null) {
      choice.reject(situation.rejection());
    } else {
      choice.offer(node, situation.harm(), pods.get(first + situation.top()).startNanos());
    }
  }

  private void readVictims(PodList pods, int first) {
    victimCount = pods.size() - first;
    if (victimCount > victims.length) {
      victims = new Shape[victimCount + victimCount / 2];
    }
    for (int i = 0; i < victimCount; i++) {
      victims[i] = pods.get(first + i).shape();
    }
  }

  /// Where what was read stands in the table, or the free place where it belongs.
  private int slot() {
    int hash = Arrays.hashCode(facts);
    for (int i = 0; i < victimCount; i++) {
      hash = 31 * hash + victims[i].hashCode();
    }
    int slot = hash & (table.length - 1);
    for (var at = table[slot]; at != null && !isRead(at); at = table[slot]) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  private boolean isRead(Situation situation) {
    return Arrays.equals(situation.facts(), facts)
        && Arrays.equals(
            situation.victims(), 0, situation.victims().length, victims, 0, victimCount);
  }

  private Situation remember(Trial.Outcome outcome, PodList pods, int first) {
    if (2 * ++known > table.length) {
      grow();
    }
    var evicted = outcome.victims().pods();
    int top = 0;
    while (!evicted.isEmpty() && pods.get(first + top) != evicted.getFirst()) {
      top++;
    }
    var situation =
        new Situation(
            facts.clone(),
            Arrays.copyOf(victims, victimCount),
            outcome.rejection(),
            outcome.victims().harm(),
            top);
    table[slot()] = situation;
    return situation;
  }

  // The table moves by reading each situation again as if it were a node's.
  private void grow() {
    var before = table;
    var now = facts.clone();
    var shapes = Arrays.copyOf(victims, victimCount);
    table = new Situation[2 * before.length];
    for (var situation : before) {
      if (situation != null) {
        read(situation.facts(), situation.victims());
        table[slot()] = situation;
      }
    }
    read(now, shapes);
  }

  private void read(long[] otherFacts, Shape[] otherVictims) {
    System.arraycopy(otherFacts, 0, facts, 0, facts.length);
    victimCount = otherVictims.length;
    if (victimCount > victims.length) {
      victims = new Shape[victimCount];
    }
    System.arraycopy(otherVictims, 0, victims, 0, victimCount);
  }
}
