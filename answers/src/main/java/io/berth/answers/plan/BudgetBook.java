package io.berth.answers.plan;

import io.berth.api.LabelSelector;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What disruption budgets allow, worked out anew from the pods there are.
///
/// A pod on a node counts as healthy unless its status says otherwise. As in Kubernetes, of
/// percentages parts of pods count whole.
final class BudgetBook {

  private final ImaginedCluster cluster;

  BudgetBook(ImaginedCluster cluster) {
    this.cluster = cluster;
  }

  /// What each budget allows now, by `namespace/name`.
  Map<String, Long> allowed() {
    var allowed = new TreeMap<String, Long>();
    for (var budget : budgets()) {
      allowed.put(key(budget), allowed(budget));
    }
    return allowed;
  }

  /// Whether no budget is in the way of the pod's eviction.
  boolean allows(Resident pod) {
    return refusing(pod) == null;
  }

  /// The budget that is in the way of the pod's eviction, `null` if none is.
  @Nullable String refusing(Resident pod) {
    for (var budget : budgets()) {
      if (covers(budget, pod) && allowed(budget) < 1) {
        return key(budget);
      }
    }
    return null;
  }

  private List<Tree> budgets() {
    var budgets = new ArrayList<Tree>();
    for (var manifest : cluster.manifests()) {
      if (manifest.kind().equals(PodDisruptionBudget.KIND)) {
        budgets.add(manifest.tree());
      }
    }
    return budgets;
  }

  private long allowed(Tree budget) {
    long expected = 0;
    long healthy = 0;
    for (var pod : cluster.pods()) {
      if (covers(budget, pod) && !pod.leftOver()) {
        expected++;
        healthy += isHealthy(pod) ? 1 : 0;
      }
    }
    return Math.max(0, healthy - desired(budget.treeOrEmpty("spec"), expected));
  }

  private static long desired(Tree spec, long expected) {
    var least = spec.get("minAvailable");
    return least == null
        ? expected - share(spec.get("maxUnavailable"), expected)
        : share(least, expected);
  }

  private static long share(@Nullable Object value, long of) {
    if (value instanceof Long number) {
      return number;
    }
    if (value instanceof String text && text.endsWith("%")) {
      try {
        return Math.ceilDiv(Long.parseLong(text.substring(0, text.length() - 1)) * of, 100);
      } catch (NumberFormatException e) {
        // The API server has more to say about it.
        return 0;
      }
    }
    return 0;
  }

  private static boolean covers(Tree budget, Resident pod) {
    return namespace(budget).equals(pod.pod().namespace())
        && LabelSelector.of(budget.tree("spec", "selector")).matches(pod.pod().labels());
  }

  private boolean isHealthy(Resident pod) {
    if (pod.isWaiting()) {
      return false;
    }
    for (var condition : pod.tree().trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("Ready")) {
        return condition.textOrEmpty("status").equals("True");
      }
    }
    return true;
  }

  private static String key(Tree budget) {
    return namespace(budget) + "/" + budget.textOrEmpty("metadata", "name");
  }

  private static String namespace(Tree budget) {
    var namespace = budget.textOrEmpty("metadata", "namespace");
    return namespace.isEmpty() ? "default" : namespace;
  }
}
