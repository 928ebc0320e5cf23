package io.berth.engine.decide;

import io.berth.engine.Rejection;
import io.berth.engine.model.NodeTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/// The node on which evictions hurt least of those seen so far, and why others are out.
///
/// Of equally good nodes the first by name is taken.
final class VictimChoice {

  private final NodeTable nodes;
  private final List<Rejection> rejections = new ArrayList<>();
  private int[] counts = new int[4];
  private int tried;
  private int best = -1;
  private Victims.@Nullable Harm least;
  private long start;

  VictimChoice(NodeTable nodes) {
    this.nodes = nodes;
  }

  void take(int node, Trial.Outcome outcome) {
    if (outcome.rejection() != null) {
      reject(outcome.rejection());
    } else {
      offer(node, outcome.victims().harm(), outcome.victims().earliestStart());
    }
  }

  void reject(Rejection rejection) {
    tried++;
    int i = rejections.indexOf(rejection);
    if (i < 0) {
      i = rejections.size();
      rejections.add(rejection);
      counts = i < counts.length ? counts : Arrays.copyOf(counts, 2 * i);
    }
    counts[i]++;
  }

  /// `startNanos` is when the most important of the victims started; later is better.
  void offer(int node, Victims.Harm harm, long startNanos) {
    tried++;
    int order = least == null ? -1 : harm.compareTo(least);
    if (order == 0) {
      order = Long.compare(start, startNanos);
    }
    if (order < 0 || (order == 0 && nodes.name(node).compareTo(nodes.name(best)) < 0)) {
      best = node;
      least = harm;
      start = startNanos;
    }
  }

  /// The best node, or -1 if there is none.
  int best() {
    return best;
  }

  int tried() {
    return tried;
  }

  void forEachRejection(ObjIntConsumer<Rejection> each) {
    for (int i = 0; i < rejections.size(); i++) {
      each.accept(rejections.get(i), counts[i]);
    }
  }
}
