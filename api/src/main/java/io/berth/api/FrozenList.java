package io.berth.api;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A list inside a frozen [Tree]: one array, and a hash that is computed once.
final class FrozenList extends AbstractList<@Nullable Object> implements RandomAccess {

  private final @Nullable Object[] elements;
  private int hash;

  private FrozenList(@Nullable Object[] elements) {
    this.elements = elements;
  }

  /// The elements as `change` makes them, which freezes them.
  static FrozenList of(List<?> list, UnaryOperator<@Nullable Object> change) {
    var elements = new @Nullable Object[list.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = change.apply(list.get(i));
    }
    return new FrozenList(elements);
  }

  /// About how many bytes this takes as JSON.
  long jsonSize() {
    return Slots.jsonSizeOf(elements);
  }

  @Override
  public @Nullable Object get(int index) {
    return elements[index];
  }

  @Override
  public int size() {
    return elements.length;
  }

  @Override
  public @Nullable Object[] toArray() {
    return elements.clone();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other == this
        || (other instanceof FrozenList list
            ? Arrays.equals(elements, list.elements)
            : super.equals(other));
  }

  @Override
  public int hashCode() {
    if (hash == 0) {
      hash = Arrays.hashCode(elements);
    }
    return hash;
  }
}
