package io.berth.schema.cel;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How large the values can be that an expression reaches.
public interface Sizes {

  /// The size of what stands at a path: the variable, then fields, `@items`, `@keys` and `@values`.
  /// `null` when nothing is known about it.
  @Nullable Span of(List<String> path);
}
