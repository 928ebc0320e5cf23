package io.berth.api;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The fields of a [Tree]: names and values side by side in one array, in order of insertion.
///
/// A cluster is millions of small trees, most of them with a handful of fields, and a map with an
/// object per field would take five times the memory. How a field is found depends on how many
/// there are:
///
/// - up to [#SCANNED], the array is scanned; names are mostly constants, so identity decides;
/// - up to [#INDEXED], `lookup` is a `byte[]`, a hash table with open addressing of field numbers
///   counted from 1 (0 is free), never more than three quarters full;
/// - beyond, `lookup` is a `LinkedHashMap` that holds the fields, and the array is empty:
///   somebody's ConfigMap with a hundred thousand keys is changed in no worse than linear time.
///
/// What is frozen has an array of exactly its size, its hash is computed once, and it knows about
/// how large it is as JSON.
abstract sealed class Slots permits Tree {

  private static final int SCANNED = 8;
  private static final int INDEXED = 96;
  private static final int SMALLEST_TABLE = 16;

  /// The size is kept in units of so many bytes, in two bytes that are left in an object anyway.
  private static final int SIZE_UNIT = 32;

  /// Quotes, colon and comma.
  private static final int PUNCTUATION = 4;

  private static final @Nullable Object[] NONE = {};

  /// Name, value, name, value, …
  private @Nullable Object[] slots = NONE;

  private @Nullable Object lookup;
  private int hash;
  private byte count;
  private boolean frozen;
  private char jsonSize;

  final boolean holds(String name) {
    var map = map();
    return map == null ? find(name) >= 0 : map.containsKey(name);
  }

  final @Nullable Object value(String name) {
    var map = map();
    if (map != null) {
      return map.get(name);
    }
    int at = find(name);
    return at < 0 ? null : slots[at + 1];
  }

  /// The slot of a name, or -1.
  @SuppressWarnings("ReferenceEquality")
  private int find(String name) {
    if (lookup instanceof byte[] table) {
      return find(name, table);
    }
    int end = 2 * count;
    for (int at = 0; at < end; at += 2) {
      if (slots[at] == name) {
        return at;
      }
    }
    for (int at = 0; at < end; at += 2) {
      if (name.equals(slots[at])) {
        return at;
      }
    }
    return -1;
  }

  private int find(String name, byte[] table) {
    int mask = table.length - 1;
    for (int bucket = bucket(name, mask); table[bucket] != 0; bucket = bucket + 1 & mask) {
      int at = 2 * (table[bucket] - 1);
      if (name.equals(slots[at])) {
        return at;
      }
    }
    return -1;
  }

  private static int bucket(Object name, int mask) {
    int spread = name.hashCode();
    return (spread ^ spread >>> 15) & mask;
  }

  final void set(String name, @Nullable Object value) {
    checkMutable();
    var map = map();
    if (map != null) {
      map.put(name, value);
      return;
    }
    int at = find(name);
    if (at >= 0) {
      slots[at + 1] = value;
    } else if (count == INDEXED) {
      becomeMap().put(name, value);
    } else {
      append(name, value);
    }
  }

  private void append(String name, @Nullable Object value) {
    int at = 2 * count;
    if (at == slots.length) {
      slots = Arrays.copyOf(slots, Math.max(8, 2 * at));
    }
    slots[at] = name;
    slots[at + 1] = value;
    count++;
    if (count > SCANNED) {
      if (lookup instanceof byte[] table && 4 * count <= 3 * table.length) {
        enter(table, count);
      } else {
        index();
      }
    }
  }

  private void index() {
    int size = SMALLEST_TABLE;
    while (4 * count > 3 * size) {
      size *= 2;
    }
    var table = new byte[size];
    for (int number = 1; number <= count; number++) {
      enter(table, number);
    }
    lookup = table;
  }

  private void enter(byte[] table, int number) {
    int mask = table.length - 1;
    int bucket = bucket(Objects.requireNonNull(slots[2 * (number - 1)]), mask);
    while (table[bucket] != 0) {
      bucket = bucket + 1 & mask;
    }
    table[bucket] = (byte) number;
  }

  private Map<String, @Nullable Object> becomeMap() {
    var map = new LinkedHashMap<String, @Nullable Object>();
    forEach(map::put);
    lookup = map;
    slots = NONE;
    count = 0;
    return map;
  }

  final @Nullable Object unset(String name) {
    checkMutable();
    var map = map();
    if (map != null) {
      return map.remove(name);
    }
    int at = find(name);
    if (at < 0) {
      return null;
    }
    var value = slots[at + 1];
    int end = 2 * count;
    System.arraycopy(slots, at + 2, slots, at, end - at - 2);
    slots[end - 2] = null;
    slots[end - 1] = null;
    count--;
    if (count > SCANNED) {
      index();
    } else {
      lookup = null;
    }
    return value;
  }

  public final int size() {
    var map = map();
    return map == null ? count : map.size();
  }

  public final boolean isEmpty() {
    return size() == 0;
  }

  public final boolean isFrozen() {
    return frozen;
  }

  /// Hands over all fields, in their order.
  public final void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
    var map = map();
    if (map != null) {
      map.forEach(action);
      return;
    }
    for (int at = 0; at < 2 * count; at += 2) {
      action.accept((String) Objects.requireNonNull(slots[at]), slots[at + 1]);
    }
  }

  /// The fields in their order; a view that cannot be written through.
  public final Map<String, @Nullable Object> fields() {
    var map = map();
    return map == null ? new FieldMap() : Collections.unmodifiableMap(map);
  }

  /// Takes over the fields of a tree, each value as `change` makes it.
  final void takeOver(Slots from, UnaryOperator<@Nullable Object> change) {
    var map = from.map();
    if (map != null) {
      var own = new LinkedHashMap<String, @Nullable Object>();
      map.forEach((name, value) -> own.put(name, change.apply(value)));
      lookup = own;
      return;
    }
    count = from.count;
    slots = count == 0 ? NONE : Arrays.copyOf(from.slots, 2 * count);
    lookup = from.lookup instanceof byte[] table ? table.clone() : null;
    for (int at = 1; at < slots.length; at += 2) {
      slots[at] = change.apply(slots[at]);
    }
  }

  /// Freezes the fields, each value as `change` makes it.
  final void freezeFields(UnaryOperator<@Nullable Object> change) {
    var map = map();
    long bytes = 0;
    if (map != null) {
      map.replaceAll((_, value) -> change.apply(value));
      for (var entry : map.entrySet()) {
        bytes += jsonSize(entry.getKey()) + jsonSize(entry.getValue());
      }
    } else {
      if (slots.length > 2 * count) {
        slots = count == 0 ? NONE : Arrays.copyOf(slots, 2 * count);
      }
      for (int at = 0; at < slots.length; at += 2) {
        var value = change.apply(slots[at + 1]);
        slots[at + 1] = value;
        bytes += jsonSize(slots[at]) + jsonSize(value);
      }
    }
    jsonSize = (char) Math.min((bytes + SIZE_UNIT / 2) / SIZE_UNIT, Character.MAX_VALUE);
    frozen = true;
  }

  /// About how many bytes a frozen tree takes as JSON; of several MiB it says two.
  public final int jsonSize() {
    return SIZE_UNIT * jsonSize;
  }

  static long jsonSizeOf(@Nullable Object[] values) {
    long bytes = 0;
    for (var value : values) {
      bytes += jsonSize(value);
    }
    return bytes;
  }

  private static long jsonSize(@Nullable Object value) {
    return switch (value) {
      case String text -> text.length() + PUNCTUATION;
      case Tree tree -> tree.jsonSize();
      case FrozenList list -> list.jsonSize();
      case null, default -> PUNCTUATION;
    };
  }

  final void checkMutable() {
    if (frozen) {
      throw new IllegalStateException("this tree is frozen; change a copy() of it");
    }
  }

  /// Whether both have the same fields, in the same order, of values that `same` calls the same.
  final boolean sameInOrder(Slots other, Sameness same) {
    if (map() != null || other.map() != null || count != other.count) {
      return false;
    }
    for (int at = 0; at < 2 * count; at++) {
      if (!same.test(slots[at], other.slots[at])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return this == other || (other instanceof Slots slots && equalFields(slots));
  }

  private boolean equalFields(Slots other) {
    if (size() != other.size() || (hash != 0 && other.hash != 0 && hash != other.hash)) {
      return false;
    }
    if (map() != null || other.map() != null) {
      return fields().equals(other.fields());
    }
    for (int at = 0; at < 2 * count; at += 2) {
      var name = (String) Objects.requireNonNull(slots[at]);
      int theirs = name.equals(other.slots[at]) ? at : other.find(name);
      if (theirs < 0 || !Objects.equals(slots[at + 1], other.slots[theirs + 1])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public final int hashCode() {
    if (hash != 0) {
      return hash;
    }
    int sum = computeHash();
    if (frozen) {
      hash = sum;
    }
    return sum;
  }

  /// That of a map with these fields.
  private int computeHash() {
    var map = map();
    if (map != null) {
      return map.hashCode();
    }
    int sum = 0;
    for (int at = 0; at < 2 * count; at += 2) {
      sum += Objects.hashCode(slots[at]) ^ Objects.hashCode(slots[at + 1]);
    }
    return sum;
  }

  @Override
  public final String toString() {
    return fields().toString();
  }

  @SuppressWarnings("unchecked")
  private @Nullable Map<String, @Nullable Object> map() {
    return lookup instanceof LinkedHashMap<?, ?> map ? (Map<String, @Nullable Object>) map : null;
  }

  /// When two values are the same.
  interface Sameness {
    boolean test(@Nullable Object one, @Nullable Object other);
  }

  /// The fields as a map.
  private final class FieldMap extends AbstractMap<String, @Nullable Object> {

    @Override
    public @Nullable Object get(Object name) {
      return name instanceof String text ? value(text) : null;
    }

    @Override
    public boolean containsKey(Object name) {
      return name instanceof String text && holds(text);
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
      Slots.this.forEach(action);
    }

    @Override
    public Set<Entry<String, @Nullable Object>> entrySet() {
      return new AbstractSet<>() {
        @Override
        public Iterator<Entry<String, @Nullable Object>> iterator() {
          return new EntryIterator();
        }

        @Override
        public int size() {
          return Slots.this.size();
        }
      };
    }
  }

  private final class EntryIterator implements Iterator<Map.Entry<String, @Nullable Object>> {

    private final int expected = size();
    private int at;

    @Override
    public boolean hasNext() {
      return at < 2 * size();
    }

    @Override
    public Map.Entry<String, @Nullable Object> next() {
      if (size() != expected || slots.length < 2 * expected) {
        throw new ConcurrentModificationException("fields came or went under an iteration");
      }
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      var name = (String) Objects.requireNonNull(slots[at]);
      var value = slots[at + 1];
      at += 2;
      return new AbstractMap.SimpleImmutableEntry<>(name, value);
    }
  }
}
