package io.berth.answers.plan;

import io.berth.api.LabelSelector;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What disruption budgets allow, by the pods there are: it is told of each that comes and goes.
///
/// A pod on a node counts as healthy unless its status says otherwise. As in Kubernetes, of
/// percentages parts of pods count whole.
final class BudgetBook {

  private final Map<String, List<Page>> pages = new HashMap<>();

  private static final class Page {
    private final String key;
    private final Tree spec;
    private final LabelSelector selector;
    private long expected;
    private long healthy;

    Page(String key, Tree spec) {
      this.key = key;
      this.spec = spec;
      this.selector = LabelSelector.of(spec.tree("selector"));
    }

    long allowed() {
      return Math.max(0, healthy - desired(spec, expected));
    }
  }

  /// Begins a page; who calls counts the pods that are there.
  void open(Tree budget) {
    var namespace = namespace(budget);
    var key = namespace + "/" + budget.textOrEmpty("metadata", "name");
    pages
        .computeIfAbsent(namespace, _ -> new ArrayList<>())
        .add(new Page(key, budget.treeOrEmpty("spec")));
  }

  void clear() {
    pages.clear();
  }

  void count(Resident pod, int by) {
    if (pod.leftOver()) {
      return;
    }
    for (var page : pages.getOrDefault(pod.pod().namespace(), List.of())) {
      if (page.selector.matches(pod.pod().labels())) {
        page.expected += by;
        page.healthy += isHealthy(pod) ? by : 0;
      }
    }
  }

  /// What each budget allows now, by `namespace/name`.
  Map<String, Long> allowed() {
    var allowed = new TreeMap<String, Long>();
    pages.values().forEach(all -> all.forEach(page -> allowed.put(page.key, page.allowed())));
    return allowed;
  }

  /// Whether no budget is in the way of the pod's eviction.
  boolean allows(Resident pod) {
    return refusing(pod) == null;
  }

  /// The budget that is in the way of the pod's eviction, `null` if none is.
  @Nullable String refusing(Resident pod) {
    for (var page : pages.getOrDefault(pod.pod().namespace(), List.of())) {
      if (page.selector.matches(pod.pod().labels()) && page.allowed() < 1) {
        return page.key;
      }
    }
    return null;
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

  private static boolean isHealthy(Resident pod) {
    if (pod.isWaiting()) {
      return false;
    }
    // One that was made in its place has no history.
    boolean isItself = pod.key().equals(pod.like().pod().key());
    for (var condition :
        isItself ? pod.like().tree().trees("status", "conditions") : List.<Tree>of()) {
      if (condition.textOrEmpty("type").equals("Ready")) {
        return condition.textOrEmpty("status").equals("True");
      }
    }
    return true;
  }

  private static String namespace(Tree budget) {
    var namespace = budget.textOrEmpty("metadata", "namespace");
    return namespace.isEmpty() ? "default" : namespace;
  }
}
