package io.berth.server.replay;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes out of an answer what is not compared, and orders what has no order.
final class Normal {

  private Normal() {}

  static @Nullable Object form(@Nullable Object value, boolean keepManagedFields) {
    return switch (value) {
      case Tree tree -> tree(tree, keepManagedFields);
      case List<?> list -> {
        var copy = new ArrayList<@Nullable Object>();
        list.forEach(each -> copy.add(form(each, keepManagedFields)));
        yield copy;
      }
      case null, default -> value;
    };
  }

  private static Tree tree(Tree tree, boolean keepManagedFields) {
    var copy = new Tree();
    tree.fields()
        .forEach((name, value) -> {
          switch (name) {
            case "managedFields" -> {
              if (keepManagedFields) {
                copy.put(name, sorted(value, "operation", "manager", "subresource", "apiVersion"));
              }
            }
            case "columnDefinitions" -> copy.put(name, columns(value));
            case "causes" -> copy.put(name, causes(value));
            default -> copy.put(name, form(value, keepManagedFields));
          }
        });
    return copy;
  }

  private static @Nullable Object columns(@Nullable Object value) {
    var columns = new ArrayList<@Nullable Object>();
    if (value instanceof List<?> list) {
      for (var each : list) {
        var column = ((Tree) each).copy();
        column.remove("description");
        columns.add(column);
      }
    }
    return columns;
  }

  private static @Nullable Object causes(@Nullable Object value) {
    return String.valueOf(value).contains("FieldManagerConflict")
        ? sorted(value, "message", "field")
        : form(value, true);
  }

  private static @Nullable Object sorted(@Nullable Object value, String... by) {
    if (!(value instanceof List<?> list)) {
      return value;
    }
    var trees = new ArrayList<Tree>();
    list.forEach(each -> trees.add((Tree) each));
    Comparator<Tree> order = Comparator.comparing(each -> each.textOrEmpty(by[0]));
    for (int i = 1; i < by.length; i++) {
      var field = by[i];
      order = order.thenComparing(each -> each.textOrEmpty(field));
    }
    trees.sort(order);
    return new ArrayList<@Nullable Object>(trees);
  }
}
