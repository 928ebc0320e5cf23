package io.berth.engine.model;

import io.berth.api.ObjectReference;
import io.berth.api.Surrounding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What pods are placed among, as it was last put: the one copy, by kind and key; nodes stand in
/// [NodeTable].
///
/// Who looks up objects of one kind holds the live map of that kind.
final class ObjectTable {

  private final Map<String, Map<String, Surrounding>> byKind = new HashMap<>();

  @Nullable Surrounding find(ObjectReference reference) {
    var known = byKind.get(reference.kind());
    return known == null ? null : known.get(reference.key());
  }

  List<Surrounding> all() {
    var all = new ArrayList<Surrounding>();
    byKind.values().forEach(objects -> all.addAll(objects.values()));
    return all;
  }

  /// Puts `after` where the reference says or, with `null`, nothing; returns what was there.
  @Nullable Surrounding replace(ObjectReference reference, @Nullable Surrounding after) {
    var known = byKind.computeIfAbsent(reference.kind(), _ -> new HashMap<>());
    return after == null ? known.remove(reference.key()) : known.put(reference.key(), after);
  }

  /// The objects of a kind, which must be the kind of this type.
  <T extends Surrounding> Map<String, T> of(String kind, Class<T> type) {
    return typed(byKind.computeIfAbsent(kind, _ -> new HashMap<>()), type);
  }

  /// The same in the order of their keys; to be asked for before the first is put.
  <T extends Surrounding> Map<String, T> sorted(String kind, Class<T> type) {
    return typed(byKind.computeIfAbsent(kind, _ -> new TreeMap<>()), type);
  }

  // A record of a kind has that kind for a constant, so no other type gets into the map.
  @SuppressWarnings({"unchecked", "unused"})
  private static <T extends Surrounding> Map<String, T> typed(
      Map<String, Surrounding> objects, Class<T> type) {
    return (Map<String, T>) objects;
  }
}
