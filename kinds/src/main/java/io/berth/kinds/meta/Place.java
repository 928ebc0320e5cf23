package io.berth.kinds.meta;

import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.schema.Field;
import io.berth.schema.Scalar;
import io.berth.schema.Type;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Where a [Cursor] stands: the chain to its root, what is there, and what the table of types says
/// of it.
abstract sealed class Place permits Cursor {

  static final int NO_INDEX = -1;
  static final int KEY = -2;

  private final @Nullable Place parent;
  private final @Nullable Root root;
  private final String name;
  private final int index;
  private final @Nullable Object value;

  Place(
      @Nullable Place parent, @Nullable Root root, String name, int index, @Nullable Object value) {
    this.parent = parent;
    this.root = root;
    this.name = name;
    this.index = index;
    this.value = value;
  }

  /// Where a chain begins; `type` is that of the object there, for what the table of types knows.
  record Root(FieldPath path, @Nullable Type type) {}

  final @Nullable Place parent() {
    return parent;
  }

  final @Nullable Root root() {
    return root;
  }

  /// The name of the field or the key of the entry; `""` for an element.
  public final String name() {
    return name;
  }

  /// The position of an element in its list.
  public final int index() {
    return index;
  }

  public final FieldPath path() {
    if (parent == null) {
      return Objects.requireNonNull(root).path();
    }
    var path = parent.path();
    return switch (index) {
      case NO_INDEX -> path.child(name);
      case KEY -> path.key(name);
      default -> path.index(index);
    };
  }

  public final @Nullable Object value() {
    return value;
  }

  public final boolean isSet() {
    return value != null;
  }

  /// Whether the field is absent, or holds an empty text or list.
  public final boolean isEmpty() {
    return value == null
        || (value instanceof String text && text.isEmpty())
        || (value instanceof List<?> list && list.isEmpty());
  }

  public final boolean has(String field) {
    return value instanceof Tree tree && tree.get(field) != null;
  }

  /// The text, or `""`.
  public final String text() {
    return value instanceof String text ? text : "";
  }

  public final String text(String field) {
    return value instanceof Tree tree && tree.get(field) instanceof String text ? text : "";
  }

  public final boolean is(String word) {
    return word.equals(value);
  }

  /// The integer, or 0.
  public final long number() {
    return value instanceof Long number ? number : 0;
  }

  public final long number(String field) {
    return value instanceof Tree tree && tree.get(field) instanceof Long number ? number : 0;
  }

  public final boolean flag() {
    return value instanceof Boolean flag && flag;
  }

  public final boolean flag(String field) {
    return value instanceof Tree tree && tree.get(field) instanceof Boolean flag && flag;
  }

  /// The object, or an empty one.
  public final Tree tree() {
    return value instanceof Tree tree ? tree : new Tree();
  }

  public final @Nullable Tree treeOrNull() {
    return value instanceof Tree tree ? tree : null;
  }

  @SuppressWarnings("unchecked")
  public final List<@Nullable Object> list() {
    return value instanceof List<?> list ? (List<@Nullable Object>) list : List.of();
  }

  /// The map of texts: labels, annotations.
  public final Map<String, String> texts() {
    return value instanceof Tree tree ? tree.texts() : Map.of();
  }

  /// The words that the table of types has for this field, in its order.
  final List<String> words() {
    var field = field();
    if (field == null || field.enumeration().isEmpty()) {
      throw new IllegalStateException("the table of types has no words for " + path());
    }
    return field.enumeration();
  }

  /// The field of the table, that of the list for an element.
  private @Nullable Field field() {
    if (parent == null || index != NO_INDEX) {
      return parent == null ? null : parent.field();
    }
    var type = parent.type();
    return type == null ? null : type.field(name);
  }

  private @Nullable Type type() {
    if (root != null) {
      return root.type();
    }
    var field = field();
    return field == null || field.scalar() != Scalar.MESSAGE ? null : field.type();
  }
}
