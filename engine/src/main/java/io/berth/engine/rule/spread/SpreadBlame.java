package io.berth.engine.rule.spread;

import io.berth.engine.Blame;
import io.berth.engine.model.RunningPod;
import io.berth.engine.rule.Importance;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Whom to blame on one node when several constraints count by domains of more than one node.
///
/// A pod that goes may count for one of them in the node's domain, and for another where there were
/// fewest: so pods go one by one until the verdict is no objection, and those come back that need
/// not have gone.
final class SpreadBlame extends SpreadVerdict {

  private final SpreadTest test;
  private final CountedPods counted;
  private final int node;
  private final Set<RunningPod> gone = new LinkedHashSet<>();
  // By constraint: how many have gone from a domain.
  private final List<Map<Integer, Integer>> less = new ArrayList<>();
  // By the constraints that count them here: the pods that may go.
  private final Map<Integer, Queue<RunningPod>> here = new TreeMap<>();

  SpreadBlame(SpreadConstraint[] constraints, SpreadTest test, CountedPods counted, int node) {
    super(constraints);
    this.test = test;
    this.counted = counted;
    this.node = node;
    for (int c = 0; c < constraints.length; c++) {
      less.add(new HashMap<>());
      for (var pod : counted.near(c, node)) {
        int mask = countingHere(pod);
        // It is near by several constraints, and stands here once.
        if (Integer.numberOfTrailingZeros(mask) == c) {
          here.computeIfAbsent(mask, _ -> new PriorityQueue<>(Importance.LEAST_FIRST)).add(pod);
        }
      }
    }
  }

  private int countingHere(RunningPod pod) {
    int mask = counted.counting(pod);
    for (int c = 0; c < constraints.length; c++) {
      if (!constraints[c].topology().isSame(pod.node(), node)) {
        mask &= ~(1 << c);
      }
    }
    return mask;
  }

  @Nullable Blame find() {
    for (int skewed = skewed(); skewed != 0; skewed = skewed()) {
      if (!goOne(skewed)) {
        return null;
      }
    }
    comeBack();
    return Importance.blame(List.copyOf(gone));
  }

  private int skewed() {
    int skewed = 0;
    for (int c = 0; c < constraints.length; c++) {
      int count = here(c);
      skewed |= constraints[c].isSkewed(count, fewest(c, count)) ? 1 << c : 0;
    }
    return skewed;
  }

  /// Has the pod go that most of the violated constraints count here; of equals the least
  /// important.
  private boolean goOne(int skewed) {
    Queue<RunningPod> best = null;
    int most = 0;
    for (var entry : here.entrySet()) {
      int counting = Integer.bitCount(entry.getKey() & skewed);
      var first = entry.getValue().peek();
      if (first == null || counting == 0 || counting < most) {
        continue;
      }
      var other = best == null ? null : best.peek();
      if (counting > most || other == null || Importance.LEAST_FIRST.compare(first, other) < 0) {
        most = counting;
        best = entry.getValue();
      }
    }
    var pod = best == null ? null : best.poll();
    if (pod == null) {
      return false;
    }
    gone.add(pod);
    count(pod, 1);
    return true;
  }

  private void count(RunningPod pod, int sign) {
    int mask = counted.counting(pod);
    for (int c = 0; c < constraints.length; c++) {
      if ((mask & (1 << c)) != 0) {
        int domain = constraints[c].topology().domainOf(pod.node());
        less.get(c).merge(domain, sign, Integer::sum);
      }
    }
  }

  private void comeBack() {
    var mostImportantFirst = new ArrayList<>(gone);
    mostImportantFirst.sort(Importance.LEAST_FIRST.reversed());
    for (var pod : mostImportantFirst) {
      count(pod, -1);
      if (verdict() instanceof Verdict.Unfit) {
        count(pod, 1);
      } else {
        gone.remove(pod);
      }
    }
  }

  @Override
  int here(int c) {
    int domain = constraints[c].topology().domainOf(node);
    return domain < 0 ? MISSING : left(c, domain);
  }

  @Override
  int fewest(int c, int here) {
    int fewest = test.fewest(c);
    for (int domain : less.get(c).keySet()) {
      fewest = Math.min(fewest, left(c, domain));
    }
    return fewest;
  }

  private int left(int c, int domain) {
    return test.count(c, domain) - less.get(c).getOrDefault(domain, 0);
  }
}
