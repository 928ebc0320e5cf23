package io.berth.engine.decide;

import io.berth.engine.Blame;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.NodeTest;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the pods on a node without which a test would not object to it, by trying.
///
/// All pods go, and come back while the test allows it: the lightest first, so that few go; of
/// equal ones the more important first. One pod that does alone is better than several, and a less
/// important one better than another. Nodes with the same facts and the same pods in the same order
/// of importance share the search.
final class LocalBlame {

  /// Exchanges of a pod that goes for one that stays; beyond, the first choice stands.
  private static final int MAX_EXCHANGES = 2_000;

  private final NodeTest test;
  private final ClusterModel cluster;
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
      places = new Search(node, List.of(pods)).places();
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
    private final List<RunningPod> pods;
    private final boolean[] gone;

    Search(int node, List<RunningPod> pods) {
      this.node = node;
      this.pods = pods;
      this.gone = new boolean[pods.size()];
    }

    int[] places() {
      var lightestFirst = new ArrayList<Integer>();
      var burdens = new double[pods.size()];
      for (int i = 0; i < gone.length; i++) {
        lightestFirst.add(i);
        burdens[i] = test.burden(pods.get(i).shape(), node);
      }
      lightestFirst.sort(
          Comparator.<Integer>comparingDouble(i -> burdens[i]).thenComparing(i -> i));
      try {
        setAll(true);
        if (!isSilent()) {
          return new int[0];
        }
        comeBack(lightestFirst);
        preferOne();
        exchange();
        comeBack(lightestFirst);
        return goneNow();
      } finally {
        setAll(false);
        test.endTrial();
      }
    }

    private void comeBack(List<Integer> order) {
      for (int i : order) {
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
        set(i, true);
        if (isSilent()) {
          return;
        }
        set(i, false);
      }
      for (int i : several) {
        set(i, true);
      }
    }

    private void exchange() {
      int left = MAX_EXCHANGES;
      for (int important : goneNow()) {
        for (int other = gone.length - 1; other > important && left > 0; other--) {
          if (!gone[other] && isLess(pods.get(other), pods.get(important))) {
            left--;
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
      var places = new ArrayList<Integer>();
      for (int i = 0; i < gone.length; i++) {
        if (gone[i]) {
          places.add(i);
        }
      }
      Collections.sort(places);
      return places.stream().mapToInt(i -> i).toArray();
    }

    private void setAll(boolean goes) {
      for (int i = 0; i < gone.length; i++) {
        set(i, goes);
      }
    }

    private void set(int i, boolean goes) {
      if (gone[i] == goes) {
        return;
      }
      gone[i] = goes;
      var pod = pods.get(i);
      if (goes) {
        cluster.pretendGone(pod);
      } else {
        cluster.pretendBack(pod);
      }
      test.pretend(pod.shape(), node, goes ? -1 : 1);
    }
  }
}
