package io.berth.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// A node that takes the pod, and its total score; 0 when it is the only one, as nothing is scored
/// then.
public record Scored(String node, long score) {

  /// The nodes with the highest totals of an examination, best first; of equals the one taken.
  public static List<Scored> best(Examination examination, int count) {
    if (!(examination.decision() instanceof Decision.Placed(var taken, _))) {
      return List.of();
    }
    var all = new ArrayList<Scored>();
    var total = examination.total();
    for (int i = 0; i < examination.feasible().size(); i++) {
      all.add(new Scored(examination.feasible().get(i), i < total.length ? total[i] : 0));
    }
    all.sort(
        Comparator.comparingLong(Scored::score)
            .thenComparing(scored -> scored.node().equals(taken))
            .reversed());
    return List.copyOf(all.subList(0, Math.min(count, all.size())));
  }
}
