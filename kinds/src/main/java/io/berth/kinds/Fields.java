package io.berth.kinds;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Small operations on trees that many strategies need.
public final class Fields {

  private Fields() {}

  /// Gives a field of the object the value it had, or removes it.
  public static void keep(Tree object, Tree old, String field) {
    if (old.has(field)) {
      object.put(field, Tree.copyOf(old.get(field)));
    } else {
      object.remove(field);
    }
  }

  /// Gives every top-level field but these the value it had.
  public static void keepOthers(Tree object, Tree old, String... changeable) {
    var mayChange = Set.of(changeable);
    var names = new ArrayList<>(object.names());
    names.addAll(old.names());
    for (var name : names) {
      if (!mayChange.contains(name)) {
        keep(object, old, name);
      }
    }
  }

  /// Whether a field differs; an absent object and an empty one are the same.
  public static boolean differs(Tree object, Tree old, String... path) {
    var value = object.at(path);
    var before = old.at(path);
    return !Objects.equals(isEmpty(value) ? null : value, isEmpty(before) ? null : before);
  }

  private static boolean isEmpty(@Nullable Object value) {
    return value instanceof Tree tree && tree.isEmpty();
  }

  /// A new object's first generation.
  public static void firstGeneration(Tree object) {
    object.child("metadata").put("generation", 1);
  }

  /// Counts a change of what the object asks for.
  public static void nextGeneration(Tree object, Tree old) {
    object.child("metadata").put("generation", old.number(0, "metadata", "generation") + 1);
  }
}
