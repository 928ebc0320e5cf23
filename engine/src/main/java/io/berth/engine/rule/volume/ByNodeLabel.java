package io.berth.engine.rule.volume;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Things in an order, each filed under a label without which no node reaches it: so that a node is
/// not asked about all that belong to others.
final class ByNodeLabel<T> {

  private record Ranked<T>(int rank, T thing) {}

  private final List<Ranked<T>> anywhere = new ArrayList<>();
  private final Map<String, Map<String, List<Ranked<T>>>> byLabel = new HashMap<>();
  private int size;

  /// The next thing, which any node may reach.
  void add(T thing) {
    anywhere.add(new Ranked<>(size++, thing));
  }

  /// The next thing, for nodes where the label has one of these values.
  void add(String key, Collection<String> values, T thing) {
    var ranked = new Ranked<>(size++, thing);
    var byValue = byLabel.computeIfAbsent(key, _ -> new HashMap<>());
    values.forEach(value -> byValue.computeIfAbsent(value, _ -> new ArrayList<>()).add(ranked));
  }

  /// The first that is wanted, of those that a node with these labels may reach.
  @Nullable T first(Map<String, String> labels, Predicate<T> wanted) {
    var first = first(anywhere, wanted);
    for (var entry : byLabel.entrySet()) {
      var value = labels.get(entry.getKey());
      var other = value == null ? null : first(entry.getValue().get(value), wanted);
      if (other != null && (first == null || other.rank() < first.rank())) {
        first = other;
      }
    }
    return first == null ? null : first.thing();
  }

  private static <T> @Nullable Ranked<T> first(
      @Nullable List<Ranked<T>> some, Predicate<T> wanted) {
    for (var each : some == null ? List.<Ranked<T>>of() : some) {
      if (wanted.test(each.thing())) {
        return each;
      }
    }
    return null;
  }
}
