package io.berth.engine.model;

import io.berth.api.LabelSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds what label selectors can concern given labels, without asking every selector.
///
/// An entry is filed under one label pair its selector requires; entries whose selector requires
/// none are always candidates.
final class PairIndex<T> {

  private final Map<Map.Entry<String, String>, Set<T>> byPair = new HashMap<>();
  private final Set<T> anywhere = new LinkedHashSet<>();

  void add(@Nullable LabelSelector selector, T entry) {
    bucket(selector).add(entry);
  }

  void remove(@Nullable LabelSelector selector, T entry) {
    var pair = pairOf(selector);
    if (pair == null) {
      anywhere.remove(entry);
    } else {
      remove(pair, entry);
    }
  }

  void addPairs(Map<String, String> labels, T entry) {
    labels.forEach((key, value) ->
        byPair.computeIfAbsent(Map.entry(key, value), _ -> new LinkedHashSet<>()).add(entry));
  }

  void removePairs(Map<String, String> labels, T entry) {
    labels.forEach((key, value) -> remove(Map.entry(key, value), entry));
  }

  private void remove(Map.Entry<String, String> pair, T entry) {
    var entries = byPair.get(pair);
    if (entries != null) {
      entries.remove(entry);
      if (entries.isEmpty()) {
        byPair.remove(pair);
      }
    }
  }

  /// Entries filed by selector that may select these labels.
  List<T> meeting(Map<String, String> labels) {
    var met = new ArrayList<>(anywhere);
    labels.forEach(
        (key, value) -> met.addAll(byPair.getOrDefault(Map.entry(key, value), Set.of())));
    return met;
  }

  /// Entries filed by their labels that a selector may select, out of all.
  Collection<T> candidates(@Nullable LabelSelector selector, Collection<T> all) {
    var pair = pairOf(selector);
    return pair == null ? all : byPair.getOrDefault(pair, Set.of());
  }

  void clear() {
    byPair.clear();
    anywhere.clear();
  }

  private Set<T> bucket(@Nullable LabelSelector selector) {
    var pair = pairOf(selector);
    return pair == null ? anywhere : byPair.computeIfAbsent(pair, _ -> new LinkedHashSet<>());
  }

  // Of several required pairs the smallest is taken, so that the choice does not depend on chance.
  private static Map.@Nullable Entry<String, String> pairOf(@Nullable LabelSelector selector) {
    if (selector == null) {
      return null;
    }
    Map.Entry<String, String> best = null;
    for (var pair : selector.matchLabels().entrySet()) {
      best = smaller(best, pair.getKey(), pair.getValue());
    }
    for (var clause : selector.matchExpressions()) {
      if (clause.operator().equals("In") && clause.values().size() == 1) {
        best = smaller(best, clause.key(), clause.values().get(0));
      }
    }
    return best;
  }

  private static Map.Entry<String, String> smaller(
      Map.@Nullable Entry<String, String> best, String key, String value) {
    return best == null || key.compareTo(best.getKey()) < 0 ? Map.entry(key, value) : best;
  }
}
