package io.berth.store;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// All objects at one revision, by key and by index. Immutable; neighbours share almost everything.
record State(
    long revision,
    PersistentMap<Key, Entry> objects,
    List<Index> indexes,
    List<PersistentMap<IndexKey, Entry>> byIndex) {

  static State empty(long revision, List<Index> indexes) {
    return new State(
        revision,
        PersistentMap.empty(),
        indexes,
        Collections.nCopies(indexes.size(), PersistentMap.empty()));
  }

  Optional<Entry> find(Key key) {
    return Optional.ofNullable(objects.find(key));
  }

  Listing list(Range range, @Nullable Key after, int limit) {
    return list(objects, revision, range, after, limit);
  }

  /// The first `limit` objects of a range behind `after`.
  static Listing list(
      PersistentMap<Key, Entry> objects,
      long revision,
      Range range,
      @Nullable Key after,
      int limit) {
    var entries = new ArrayList<Entry>();
    var rest = objects.from(after == null ? range.start() : after);
    while (rest.hasNext() && entries.size() < limit) {
      var entry = rest.next().value();
      if (!range.contains(entry.key())) {
        break;
      }
      if (!entry.key().equals(after)) {
        entries.add(entry);
      }
    }
    // Only a full page can leave something behind.
    int remaining =
        entries.isEmpty() || entries.size() < limit
            ? 0
            : objects.rank(range.end()) - objects.rank(entries.getLast().key()) - 1;
    return new Listing(revision, Collections.unmodifiableList(entries), remaining);
  }

  List<Entry> listBy(Index index, String value) {
    int position = indexes.indexOf(index);
    if (position < 0) {
      throw new IllegalArgumentException("the store was made without index " + index.name());
    }
    var entries = new ArrayList<Entry>();
    var rest = byIndex.get(position).from(IndexKey.start(value));
    while (rest.hasNext()) {
      var next = rest.next();
      if (!next.key().value().equals(value)) {
        break;
      }
      entries.add(next.value());
    }
    return Collections.unmodifiableList(entries);
  }

  /// All of `entries`, which are in key order.
  static State of(long revision, List<Entry> entries, List<Index> indexes) {
    var objects = PersistentMap.<Key, Entry>ofSorted(entries, Entry::key);
    entries.forEach(entry -> entry.index(indexes));
    var byIndex = new ArrayList<PersistentMap<IndexKey, Entry>>();
    for (int i = 0; i < indexes.size(); i++) {
      var found = new TreeMap<IndexKey, Entry>();
      for (var entry : entries) {
        for (var value : entry.indexValues(i)) {
          found.put(new IndexKey(value, entry.key()), entry);
        }
      }
      var map = PersistentMap.<IndexKey, Entry>empty();
      for (var each : found.entrySet()) {
        map = map.with(each.getKey(), each.getValue());
      }
      byIndex.add(map);
    }
    return new State(revision, objects, indexes, byIndex);
  }

  /// This state with one object put, replaced or, when `entry` is `null`, removed.
  ///
  /// `previous` is what is there now.
  State with(long newRevision, Key key, @Nullable Entry entry, @Nullable Entry previous) {
    if (entry != null) {
      entry.index(indexes);
    }
    var newByIndex = byIndex;
    for (int i = 0; i < indexes.size(); i++) {
      var map = byIndex.get(i);
      if (previous != null) {
        for (var value : previous.indexValues(i)) {
          map = map.without(new IndexKey(value, key));
        }
      }
      if (entry != null) {
        for (var value : entry.indexValues(i)) {
          map = map.with(new IndexKey(value, key), entry);
        }
      }
      newByIndex = replaced(newByIndex, i, map);
    }
    var newObjects = entry == null ? objects.without(key) : objects.with(key, entry);
    return new State(newRevision, newObjects, indexes, newByIndex);
  }

  // Most writes touch no index; they share the list as well.
  @SuppressWarnings("ReferenceEquality")
  private static List<PersistentMap<IndexKey, Entry>> replaced(
      List<PersistentMap<IndexKey, Entry>> maps, int position, PersistentMap<IndexKey, Entry> map) {
    if (maps.get(position) == map) {
      return maps;
    }
    var changed = new ArrayList<>(maps);
    changed.set(position, map);
    return changed;
  }

  /// `key` is `null` in the key that sorts before all others of its value.
  record IndexKey(String value, @Nullable Key key) implements Comparable<IndexKey> {

    static IndexKey start(String value) {
      return new IndexKey(value, null);
    }

    @Override
    public int compareTo(IndexKey other) {
      int order = value.compareTo(other.value);
      if (order != 0) {
        return order;
      }
      if (key == null || other.key == null) {
        return Boolean.compare(key != null, other.key != null);
      }
      return key.compareTo(other.key);
    }
  }
}
