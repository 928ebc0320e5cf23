package io.berth.kinds;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import java.util.List;

/// What a write to an existing object may do, through the object itself or through one of its
/// subresources (`status`, `resize`, `ephemeralcontainers`, `finalize`).
public interface UpdateRules {

  /// Puts back what this door may not change, drops fields that are off, counts the generation.
  void prepareForUpdate(Tree object, Tree old, Write write);

  /// Objections to the change. `old` has been stored, `object` is complete.
  void validateUpdate(Cursor object, Tree old);

  /// The same for rules that ask who writes, or when.
  default void validateUpdate(Cursor object, Tree old, Write write) {
    validateUpdate(object, old);
  }

  /// Texts of `Warning` headers for an accepted change.
  default List<String> warningsOnUpdate(Tree object, Tree old) {
    return List.of();
  }
}
