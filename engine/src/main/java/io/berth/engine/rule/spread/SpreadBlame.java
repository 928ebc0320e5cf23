package io.berth.engine.rule.spread;

import io.berth.engine.Blame;
import io.berth.engine.model.RunningPod;
import io.berth.engine.model.Topology;
import io.berth.engine.rule.Importance;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
/// not have gone. Fewer others may do; as long as there is patience for it, they are searched for.
final class SpreadBlame extends SpreadVerdict {

  private final SpreadTest test;
  private final CountedPods counted;
  private final int node;
  private final Patience patience;
  private final Set<RunningPod> gone = new LinkedHashSet<>();
  // By constraint: how many have gone from a domain.
  private final List<Map<Integer, Integer>> less = new ArrayList<>();
  // By the constraints that count them here: the pods that may go.
  private final Map<Integer, Queue<RunningPod>> here = new TreeMap<>();

  /// How many sets may still be tried, for all nodes together.
  static final class Patience {
    private int tries = 100_000;

    boolean isLeft() {
      return tries-- > 0;
    }
  }

  SpreadBlame(
      SpreadConstraint[] constraints,
      SpreadTest test,
      CountedPods counted,
      int node,
      Patience patience) {
    super(constraints);
    this.patience = patience;
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
    var all = here.values().stream().flatMap(Queue::stream).toList();
    int least = leastExcess();
    for (int skewed = skewed(); skewed != 0; skewed = skewed()) {
      if (!goOne(skewed)) {
        return null;
      }
    }
    comeBack();
    var enough = List.copyOf(gone);
    enough.forEach(pod -> count(pod, -1));
    return Importance.blame(new Fewer(all).than(enough, least));
  }

  /// Fewer pods than this cannot be enough.
  private int leastExcess() {
    int least = 1;
    for (int c = 0; c < constraints.length; c++) {
      int count = here(c);
      least = Math.max(least, constraints[c].excess(count, fewest(c, count)));
    }
    return least;
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

  /// Tries smaller sets, the smallest first; pods that count alike are interchangeable.
  private final class Fewer {

    private final List<List<RunningPod>> alike;
    private final List<RunningPod> tried = new ArrayList<>();
    private @Nullable List<RunningPod> best;

    Fewer(List<RunningPod> pods) {
      var groups = new LinkedHashMap<List<Integer>, List<RunningPod>>();
      for (var pod : pods) {
        groups.computeIfAbsent(effect(pod), _ -> new ArrayList<>()).add(pod);
      }
      groups.values().forEach(group -> group.sort(Importance.LEAST_FIRST));
      this.alike = List.copyOf(groups.values());
    }

    private List<Integer> effect(RunningPod pod) {
      var effect = new ArrayList<Integer>();
      int mask = counted.counting(pod);
      for (int c = 0; c < constraints.length; c++) {
        boolean counts = (mask & (1 << c)) != 0;
        effect.add(counts ? constraints[c].topology().domainOf(pod.node()) : Topology.NONE);
      }
      return effect;
    }

    List<RunningPod> than(List<RunningPod> enough, int least) {
      for (int size = least; size < enough.size() && best == null; size++) {
        choose(0, size);
      }
      return best == null ? enough : best;
    }

    private void choose(int group, int more) {
      if (more == 0) {
        if (skewed() == 0 && (best == null || isLess(tried, best))) {
          best = List.copyOf(tried);
        }
        return;
      }
      if (group == alike.size() || !patience.isLeft()) {
        return;
      }
      var pods = alike.get(group);
      choose(group + 1, more);
      int taken = 0;
      while (taken < Math.min(more, pods.size())) {
        var pod = pods.get(taken++);
        tried.add(pod);
        count(pod, 1);
        choose(group + 1, more - taken);
      }
      while (taken > 0) {
        taken--;
        count(tried.removeLast(), -1);
      }
    }

    /// Whether the most important ones in which two sets differ are less important in the first.
    private static boolean isLess(List<RunningPod> some, List<RunningPod> others) {
      var one = some.stream().sorted(Importance.LEAST_FIRST.reversed()).iterator();
      for (var other : others.stream().sorted(Importance.LEAST_FIRST.reversed()).toList()) {
        int order = Importance.LEAST_FIRST.compare(one.next(), other);
        if (order != 0) {
          return order < 0;
        }
      }
      return false;
    }
  }
}
