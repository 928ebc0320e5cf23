package io.berth.engine.decide;

import io.berth.engine.Blame;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the pods on a node without which a test would not object to it, by trying.
///
/// All pods go that have a part in it, and come back while the test allows it: the lightest first,
/// so that few go; of equal ones the more important first. One pod that does alone is better than
/// several, and a less important one better than another. Nodes with the same facts and the same
/// pods in the same order of importance share the search.
final class LocalBlame {

  /// Exchanges of a pod that goes for one that stays, on all nodes together; beyond, the first
  /// choice stands.
  private static final int MAX_EXCHANGES = 20_000;

  private final NodeTest test;
  private final ClusterModel cluster;
  private int exchangesLeft = MAX_EXCHANGES;
  private final Map<Situation, int[]> known = new HashMap<>();

  /// What decides the search. Start times decide too, but only by the order they give.
  private record Situation(long[] facts, Shape[] pods) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Situation(var otherFacts, var otherPods)
          && Arrays.equals(facts, otherFacts)
          && Arrays.equals(pods, otherPods);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.hashCode(facts) + Arrays.hashCode(pods);
    }
  }

  LocalBlame(NodeTest test, ClusterModel cluster) {
    this.test = test;
    this.cluster = cluster;
  }

  /// Whom to blame on the node, or `null` if nobody's eviction would help.
  @Nullable Blame on(int node) {
    var list = cluster.nodes().pods(node);
    var pods = new RunningPod[list.size()];
    for (int i = 0; i < pods.length; i++) {
      pods[i] = list.get(i);
    }
    var situation = situation(node, pods);
    var places = situation == null ? null : known.get(situation);
    if (places == null) {
      places = new Search(node, pods).places();
      if (situation != null) {
        known.put(situation, places);
      }
    }
    if (places.length == 0) {
      return null;
    }
    var blamed = new ArrayList<RunningPod>(places.length);
    for (int place : places) {
      blamed.add(pods[place]);
    }
    return new Blame(List.of(blamed));
  }

  private @Nullable Situation situation(int node, RunningPod[] pods) {
    if (test.facts() == NodeTest.NO_FACTS) {
      return null;
    }
    var facts = new long[test.facts()];
    if (!test.readFacts(node, facts, 0)) {
      return null;
    }
    var shapes = new Shape[pods.length];
    for (int i = 0; i < shapes.length; i++) {
      shapes[i] = pods[i].shape();
    }
    return new Situation(facts, shapes);
  }

  /// The search on one node; pods are known by their place in the order of importance.
  private final class Search {

    private final int node;
    private final RunningPod[] pods;
    private final boolean[] gone;
    private final double[] burdens;
    private final int[] lightestFirst;

    Search(int node, RunningPod[] pods) {
      this.node = node;
      this.pods = pods;
      this.gone = new boolean[pods.length];
      this.burdens = new double[pods.length];
      var order = new int[pods.length];
      int count = 0;
      for (int i = 0; i < pods.length; i++) {
        burdens[i] = test.burden(pods[i].shape(), node);
        if (burdens[i] > 0) {
          insert(i, order, count++);
        }
      }
      this.lightestFirst = Arrays.copyOf(order, count);
    }

    private void insert(int i, int[] order, int count) {
      int place = count;
      while (place > 0 && burdens[order[place - 1]] > burdens[i]) {
        order[place] = order[place - 1];
        place--;
      }
      order[place] = i;
    }

    int[] places() {
      try {
        setAll(true);
        if (!isSilent()) {
          return new int[0];
        }
        comeBackTogether();
        comeBack();
        preferOne();
        exchange();
        comeBack();
        return goneNow();
      } finally {
        setAll(false);
        test.endTrial();
      }
    }

    /// Brings back as many of the lightest as may come together, found by halving.
    private void comeBackTogether() {
      int back = 0;
      for (int step = Integer.highestOneBit(lightestFirst.length); step > 0; step /= 2) {
        int until = Math.min(back + step, lightestFirst.length);
        setLightest(back, until, false);
        if (isSilent()) {
          back = until;
        } else {
          setLightest(back, until, true);
        }
      }
    }

    private void setLightest(int from, int until, boolean goes) {
      for (int i = from; i < until; i++) {
        set(lightestFirst[i], goes);
      }
    }

    private void comeBack() {
      for (int i : lightestFirst) {
        if (gone[i]) {
          set(i, false);
          if (!isSilent()) {
            set(i, true);
          }
        }
      }
    }

    private void preferOne() {
      var several = goneNow();
      if (several.length < 2) {
        return;
      }
      setAll(false);
      for (int i = gone.length - 1; i >= 0; i--) {
        if (burdens[i] >= NodeTest.ALONE) {
          set(i, true);
          if (isSilent()) {
            return;
          }
          set(i, false);
        }
      }
      for (int i : several) {
        set(i, true);
      }
    }

    private void exchange() {
      for (int important : goneNow()) {
        for (int other = gone.length - 1; other > important && exchangesLeft > 0; other--) {
          if (!gone[other] && burdens[other] > 0 && isLess(pods[other], pods[important])) {
            exchangesLeft--;
            set(other, true);
            set(important, false);
            if (isSilent()) {
              break;
            }
            set(important, true);
            set(other, false);
          }
        }
      }
    }

    private static boolean isLess(RunningPod a, RunningPod b) {
      return a.priority() < b.priority()
          || (a.priority() == b.priority() && a.startNanos() > b.startNanos());
    }

    private boolean isSilent() {
      return !(test.verdict(node) instanceof Verdict.Unfit);
    }

    private int[] goneNow() {
      var places = new int[gone.length];
      int count = 0;
      for (int i = 0; i < gone.length; i++) {
        if (gone[i]) {
          places[count++] = i;
        }
      }
      return Arrays.copyOf(places, count);
    }

    // The node's list of pods is shortest to change at its end.
    private void setAll(boolean goes) {
      for (int i = 0; i < gone.length; i++) {
        int each = goes ? gone.length - 1 - i : i;
        if (burdens[each] > 0) {
          set(each, goes);
        }
      }
    }

    private void set(int i, boolean goes) {
      if (gone[i] == goes) {
        return;
      }
      gone[i] = goes;
      if (goes) {
        cluster.pretendGone(pods[i]);
      } else {
        cluster.pretendBack(pods[i]);
      }
      test.pretend(pods[i].shape(), node, goes ? -1 : 1);
    }
  }
}
