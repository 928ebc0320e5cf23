package io.berth.api;

import org.jspecify.annotations.Nullable;

/// Where in an object a field is: `spec.containers[0].resources.limits[cpu]`.
///
/// A path is a chain to its parent and becomes text only when an error needs it: validation of a
/// good object builds no strings.
public final class FieldPath {

  /// The object itself; errors about it name no field.
  public static final FieldPath ROOT = new FieldPath(null, "", -1, false);

  private final @Nullable FieldPath parent;
  private final String name;
  private final int index;
  private final boolean key;

  private FieldPath(@Nullable FieldPath parent, String name, int index, boolean key) {
    this.parent = parent;
    this.name = name;
    this.index = index;
    this.key = key;
  }

  public static FieldPath of(String name, String... more) {
    return ROOT.child(name).child(more);
  }

  public FieldPath child(String field) {
    return new FieldPath(this, field, -1, false);
  }

  public FieldPath child(String... fields) {
    var path = this;
    for (var field : fields) {
      path = path.child(field);
    }
    return path;
  }

  /// The element at this position of the list.
  public FieldPath index(int position) {
    return new FieldPath(this, "", position, false);
  }

  /// The entry under this key of the map.
  public FieldPath key(String entry) {
    return new FieldPath(this, entry, -1, true);
  }

  @Override
  public String toString() {
    var text = new StringBuilder();
    append(text);
    return text.isEmpty() ? "<nil>" : text.toString();
  }

  private void append(StringBuilder text) {
    if (parent == null) {
      return;
    }
    parent.append(text);
    if (index >= 0) {
      text.append('[').append(index).append(']');
    } else if (key) {
      text.append('[').append(name).append(']');
    } else {
      if (!text.isEmpty()) {
        text.append('.');
      }
      text.append(name);
    }
  }
}
