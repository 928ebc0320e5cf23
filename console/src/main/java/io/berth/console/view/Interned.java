package io.berth.console.view;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Values that repeat, numbered in the order of their first use.
final class Interned<T> {

  private final Map<T, Long> numbers = new LinkedHashMap<>();

  Long number(T value) {
    return numbers.computeIfAbsent(value, _ -> (long) numbers.size());
  }

  List<@Nullable Object> values() {
    return new ArrayList<>(numbers.keySet());
  }
}
