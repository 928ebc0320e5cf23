package io.berth.engine.rule.spread;

import io.berth.engine.Blame;
import io.berth.engine.model.RunningPod;
import io.berth.engine.rule.Importance;
import io.berth.engine.rule.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Whom to blame on one node when there are several constraints.
///
/// A pod that goes may count for one of them in the node's domain, and for another where there were
/// fewest: so pods go one by one until the verdict is no objection, and those come back that need
/// not have gone.
final class SpreadBlame extends SpreadVerdict {

  /// The pods that a constraint counts in the domain of a node.
  @FunctionalInterface
  interface Near {
    List<RunningPod> pods(int c, int node);
  }

  private final SpreadTest test;
  private final int node;
  private final Near near;
  private final Set<RunningPod> gone = new LinkedHashSet<>();

  SpreadBlame(SpreadConstraint[] constraints, SpreadTest test, int node, Near near) {
    super(constraints);
    this.test = test;
    this.node = node;
    this.near = near;
  }

  @Nullable Blame find(List<Integer> skewed) {
    for (boolean more = true; more && isObjecting(); ) {
      more = false;
      for (int c : skewed) {
        more |= isSkewed(c) && goOne(c);
      }
      for (int c = 0; c < constraints.length && !more; c++) {
        more = isSkewed(c) && goOne(c);
      }
    }
    if (isObjecting()) {
      return null;
    }
    comeBack();
    return Importance.blame(List.copyOf(gone));
  }

  private boolean isObjecting() {
    return verdict() instanceof Verdict.Unfit;
  }

  private boolean isSkewed(int c) {
    int here = here(c);
    return constraints[c].isSkewed(here, fewest(c, here));
  }

  /// Has the pod go that most of the violated constraints count here; of equals the least
  /// important.
  private boolean goOne(int c) {
    RunningPod best = null;
    int most = 0;
    for (var pod : near.pods(c, node)) {
      int counting = gone.contains(pod) ? 0 : countingHere(pod);
      boolean less =
          best != null && counting == most && Importance.LEAST_FIRST.compare(pod, best) < 0;
      if (counting > most || (counting > 0 && less)) {
        most = counting;
        best = pod;
      }
    }
    return best != null && gone.add(best);
  }

  private int countingHere(RunningPod pod) {
    int counting = 0;
    for (int c = 0; c < constraints.length; c++) {
      counting += isCounted(c, pod) && isHere(c, pod) && isSkewed(c) ? 1 : 0;
    }
    return counting;
  }

  private boolean isCounted(int c, RunningPod pod) {
    return constraints[c].counts(pod.shape())
        && SpreadConstraint.hasAllKeys(constraints, pod.node())
        && constraints[c].includes(pod.node());
  }

  private boolean isHere(int c, RunningPod pod) {
    var topology = constraints[c].topology();
    return topology.domainOf(pod.node()) == topology.domainOf(node);
  }

  private void comeBack() {
    var mostImportantFirst = new ArrayList<>(gone);
    mostImportantFirst.sort(Importance.LEAST_FIRST.reversed());
    for (var pod : mostImportantFirst) {
      gone.remove(pod);
      if (isObjecting()) {
        gone.add(pod);
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
    if (test.domains(c) < constraints[c].minDomains()) {
      return 0;
    }
    int fewest = Integer.MAX_VALUE;
    for (int domain = 0; domain < constraints[c].topology().domainCount(); domain++) {
      if (test.isCounted(c, domain)) {
        fewest = Math.min(fewest, test.count(c, domain));
      }
    }
    for (var pod : gone) {
      int domain = constraints[c].topology().domainOf(pod.node());
      if (domain >= 0 && test.isCounted(c, domain)) {
        fewest = Math.min(fewest, left(c, domain));
      }
    }
    return fewest;
  }

  private int left(int c, int domain) {
    int left = test.count(c, domain);
    for (var pod : gone) {
      if (isCounted(c, pod) && constraints[c].topology().domainOf(pod.node()) == domain) {
        left--;
      }
    }
    return left;
  }
}
