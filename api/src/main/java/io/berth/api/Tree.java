package io.berth.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A JSON object, the form in which every Kubernetes object travels through Berth.
///
/// Values are `String`, `Long`, `Double`, `Boolean`, [Tree], `List<Object>` of these, and `null`
/// where the document says `null`. Integers that do not fit a `long` are `Double`, as in
/// Kubernetes. Field order is that of insertion.
///
/// A tree is mutable until [#freeze()]; a frozen tree is deeply immutable and may be shared between
/// threads. [#copy()] gives a mutable deep copy. Readers never see somebody else's changes:
/// whatever a store, a watch or the cluster port hands out is frozen.
public final class Tree extends Slots {

  public Tree() {}

  /// A tree from alternating names and values: `Tree.of("kind", "Pod", "apiVersion", "v1")`.
  public static Tree of(@Nullable Object... namesAndValues) {
    var tree = new Tree();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      var name = (String) Objects.requireNonNull(namesAndValues[i]);
      tree.put(name, namesAndValues[i + 1]);
    }
    return tree;
  }

  /// A tree from a map; nested maps become trees.
  public static Tree ofMap(Map<String, ? extends @Nullable Object> map) {
    var tree = new Tree();
    map.forEach(tree::put);
    return tree;
  }

  /// The value at a path of field names, or `null` when any step is absent or not an object.
  public @Nullable Object at(String... path) {
    Object value = this;
    for (var step : path) {
      if (!(value instanceof Tree tree)) {
        return null;
      }
      value = tree.value(step);
    }
    return value;
  }

  public @Nullable Object get(String field) {
    return value(field);
  }

  public boolean has(String field) {
    return holds(field);
  }

  /// The object at the path, or `null`.
  public @Nullable Tree tree(String... path) {
    return at(path) instanceof Tree tree ? tree : null;
  }

  /// The object at the path, or an empty one that is not attached to this tree.
  public Tree treeOrEmpty(String... path) {
    return at(path) instanceof Tree tree ? tree : new Tree();
  }

  /// The text at the path, or `null`.
  public @Nullable String text(String... path) {
    return at(path) instanceof String text ? text : null;
  }

  /// The text at the path, or `""`.
  public String textOrEmpty(String... path) {
    return at(path) instanceof String text ? text : "";
  }

  /// The integer at the path, or `absent`.
  public long number(long absent, String... path) {
    return at(path) instanceof Long number ? number : absent;
  }

  /// The boolean at the path, or `false`.
  public boolean flag(String... path) {
    return at(path) instanceof Boolean flag && flag;
  }

  /// The list at the path, or an empty one that is not attached to this tree.
  @SuppressWarnings("unchecked")
  public List<@Nullable Object> list(String... path) {
    return at(path) instanceof List<?> list ? (List<@Nullable Object>) list : List.of();
  }

  /// The objects of the list at the path; elements that are no objects are left out.
  public List<Tree> trees(String... path) {
    if (!(at(path) instanceof List<?> list) || list.isEmpty()) {
      return List.of();
    }
    var trees = new ArrayList<Tree>(list.size());
    for (var element : list) {
      if (element instanceof Tree tree) {
        trees.add(tree);
      }
    }
    return trees;
  }

  /// The map of texts at the path (labels, annotations, selectors), or an empty one.
  public Map<String, String> texts(String... path) {
    if (!(at(path) instanceof Tree tree) || tree.isEmpty()) {
      return Map.of();
    }
    var texts = new LinkedHashMap<String, String>();
    tree.forEach((name, value) -> {
      if (value instanceof String text) {
        texts.put(name, text);
      }
    });
    return texts;
  }

  /// Sets a field; maps and other numbers are converted to what a tree holds.
  public Tree put(String field, @Nullable Object value) {
    set(field, valueOf(value));
    return this;
  }

  /// Sets the value at the end of the path, creating the objects on the way.
  public Tree putAt(@Nullable Object value, String... path) {
    var tree = this;
    for (int i = 0; i < path.length - 1; i++) {
      tree = tree.child(path[i]);
    }
    tree.put(path[path.length - 1], value);
    return this;
  }

  public Tree putIfAbsent(String field, @Nullable Object value) {
    return value(field) == null ? put(field, value) : this;
  }

  /// The object in this field, created and attached when it is not there.
  public Tree child(String field) {
    if (value(field) instanceof Tree tree) {
      return tree;
    }
    var tree = new Tree();
    set(field, tree);
    return tree;
  }

  /// The list in this field, created and attached when it is not there.
  @SuppressWarnings("unchecked")
  public List<@Nullable Object> childList(String field) {
    if (value(field) instanceof List<?> list) {
      return (List<@Nullable Object>) list;
    }
    var list = new ArrayList<@Nullable Object>();
    set(field, list);
    return list;
  }

  public @Nullable Object remove(String field) {
    return unset(field);
  }

  public Set<String> names() {
    return fields().keySet();
  }

  /// Makes this tree and everything below it immutable.
  public Tree freeze() {
    return freeze(Tree::frozenValue);
  }

  /// Freezes with `change` for the values inside, which it freezes as well.
  Tree freeze(UnaryOperator<@Nullable Object> change) {
    if (!isFrozen()) {
      freezeFields(change);
    }
    return this;
  }

  /// A mutable copy of a frozen tree that shares all that is below with it.
  public Tree shallowCopy() {
    if (!isFrozen()) {
      throw new IllegalStateException("only a frozen tree can share its parts");
    }
    var copy = new Tree();
    copy.takeOver(this, UnaryOperator.identity());
    return copy;
  }

  /// A mutable deep copy.
  public Tree copy() {
    var copy = new Tree();
    copy.takeOver(this, Tree::copyOf);
    return copy;
  }

  /// A mutable deep copy of any value a tree may hold.
  public static @Nullable Object copyOf(@Nullable Object value) {
    if (value instanceof Tree tree) {
      return tree.copy();
    }
    if (value instanceof List<?> list) {
      var copy = new ArrayList<@Nullable Object>(list.size());
      for (var element : list) {
        copy.add(copyOf(element));
      }
      return copy;
    }
    return value;
  }

  private static @Nullable Object valueOf(@Nullable Object value) {
    // Nearly all values are one of these, and a switch over patterns is dear.
    if (value == null || value instanceof String || value instanceof Tree) {
      return value;
    }
    return switch (value) {
      case Integer number -> (long) number;
      case Short number -> (long) number;
      case Float number -> (double) number;
      case Map<?, ?> map -> treeOf(map);
      case List<?> list when list.isEmpty() -> new ArrayList<@Nullable Object>();
      case List<?> list -> listOf(list);
      case Enum<?> constant -> constant.toString();
      default -> value;
    };
  }

  private static Tree treeOf(Map<?, ?> map) {
    var tree = new Tree();
    map.forEach((name, value) -> tree.put((String) name, value));
    return tree;
  }

  // A list is taken over as it is when it needs no conversion: `tree.put("items", items)` followed
  // by `items.add(…)` works, and trees of a million elements are not copied.
  private static List<?> listOf(List<?> list) {
    for (var element : list) {
      if (element instanceof Map<?, ?> || element instanceof Integer) {
        var converted = new ArrayList<@Nullable Object>(list.size());
        for (var each : list) {
          converted.add(valueOf(each));
        }
        return converted;
      }
    }
    return list instanceof ArrayList<?> ? list : new ArrayList<@Nullable Object>(list);
  }

  private static @Nullable Object frozenValue(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Tree tree -> tree.freeze();
      case ArrayList<?> list -> FrozenList.of(list, Tree::frozenValue);
      default -> checkedValue(value);
    };
  }

  /// Refuses what no document holds: a frozen tree can be written as JSON.
  static Object checkedValue(Object value) {
    return switch (value) {
      case String _, Long _, Double _, Boolean _, Integer _, FrozenList _ -> value;
      default -> throw new IllegalArgumentException("a tree cannot hold a " + value.getClass());
    };
  }
}
