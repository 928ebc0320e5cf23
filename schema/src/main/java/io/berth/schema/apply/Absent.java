package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Stands for "nothing there", where `null` is a value of the object.
enum Absent {
  ABSENT;

  static boolean is(@Nullable Object value) {
    return value instanceof Absent;
  }

  /// The value of a field, `null` if the object says so, or [#ABSENT].
  static @Nullable Object orValue(@Nullable Tree tree, String name) {
    return tree != null && tree.has(name) ? tree.get(name) : ABSENT;
  }

  static @Nullable Tree object(@Nullable Object value) {
    return value instanceof Tree tree ? tree : null;
  }

  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  static boolean isEmptyObject(@Nullable Object value) {
    return !(value instanceof Tree tree) || tree.isEmpty();
  }
}
