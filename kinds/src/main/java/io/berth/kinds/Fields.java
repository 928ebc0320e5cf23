package io.berth.kinds;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Small operations on trees that many strategies need.
public final class Fields {

  /// Maps of texts, in which an empty text is not the same as none.
  private static final Set<String> TEXTS =
      Set.of("labels", "annotations", "matchLabels", "nodeSelector");

  private Fields() {}

  /// Gives a field of the object the value it had, or removes it.
  public static void keep(Tree object, Tree old, String field) {
    if (old.has(field)) {
      object.put(field, Tree.copyOf(old.get(field)));
    } else {
      object.remove(field);
    }
  }

  /// Gives a field further down the value it had, or removes it.
  public static void keepAt(Tree object, Tree old, String... path) {
    var value = old.at(path);
    if (value != null) {
      object.putAt(Tree.copyOf(value), path);
      return;
    }
    var parent = object.at(Arrays.copyOf(path, path.length - 1));
    if (parent instanceof Tree tree) {
      tree.remove(path[path.length - 1]);
    }
  }

  /// Gives the metadata, but for its managed fields, the values it had.
  public static void keepMetadata(Tree object, Tree old) {
    for (var field :
        List.of(
            "deletionTimestamp",
            "generation",
            "selfLink",
            "labels",
            "annotations",
            "finalizers",
            "ownerReferences")) {
      keepAt(object, old, "metadata", field);
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

  /// Whether a field differs in meaning.
  public static boolean differs(Tree object, Tree old, String... path) {
    return !isSame(object.at(path), old.at(path));
  }

  /// Equality as Kubernetes sees it: what is absent, null, `""` or an empty list is the same. An
  /// empty object is not: `affinity: {}` says something.
  public static boolean isSame(@Nullable Object a, @Nullable Object b) {
    if (isNothing(a) && isNothing(b)) {
      return true;
    }
    if (a instanceof Tree first && b instanceof Tree second) {
      return isSameTree(first, second);
    }
    if (a instanceof List<?> first && b instanceof List<?> second) {
      for (int i = 0; i < first.size() && first.size() == second.size(); i++) {
        if (!isSame(first.get(i), second.get(i))) {
          return false;
        }
      }
      return first.size() == second.size();
    }
    return Objects.equals(a, b);
  }

  private static boolean isSameTree(Tree a, Tree b) {
    for (var field : a.fields().entrySet()) {
      var other = b.get(field.getKey());
      boolean same =
          TEXTS.contains(field.getKey())
              ? Objects.equals(field.getValue(), other)
              : isSame(field.getValue(), other);
      if (!same) {
        return false;
      }
    }
    for (var field : b.fields().entrySet()) {
      if (!a.has(field.getKey()) && !isNothing(field.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isNothing(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case List<?> list -> list.isEmpty();
      case String text -> text.isEmpty();
      default -> false;
    };
  }

  /// A new object's first generation.
  public static void firstGeneration(Tree object) {
    object.child("metadata").put("generation", 1);
  }

  /// Counts a change of the field that says what the object asks for.
  public static void countGeneration(Tree object, Tree old, String field) {
    if (differs(object, old, field)) {
      nextGeneration(object, old);
    }
  }

  public static void nextGeneration(Tree object, Tree old) {
    object.child("metadata").put("generation", old.number(0, "metadata", "generation") + 1);
  }
}
