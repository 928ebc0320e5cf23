package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The fields an applied configuration speaks about.
final class OwnedFields {

  private final FieldSet set = new FieldSet();
  private final List<String> path = new ArrayList<>();

  private OwnedFields() {}

  static FieldSet of(Structure structure, Tree object) {
    var fields = new OwnedFields();
    fields.visit(structure, object);
    return fields.set;
  }

  private void visit(Structure structure, @Nullable Object value) {
    switch (Structure.resolve(structure, value)) {
      case Structure.ObjectStructure object when !object.atomic() -> visitObject(object, value);
      case Structure.ListStructure list when list.associative() -> visitElements(list, value);
      case Structure.ObjectStructure _,
          Structure.ListStructure _,
          Structure.Leaf _,
          Structure.Untyped _ ->
          set.insert(path);
    }
  }

  private void visitObject(Structure.ObjectStructure structure, @Nullable Object value) {
    if (!(value instanceof Tree tree)) {
      return;
    }
    for (var entry : tree.fields().entrySet()) {
      var below = structure.at(entry.getKey());
      if (below == null) {
        continue;
      }
      path.add(PathElement.field(entry.getKey()));
      visit(below, entry.getValue());
      boolean empty = entry.getValue() == null || isEmpty(entry.getValue());
      if (empty || structure.field(entry.getKey()) == null) {
        set.insert(path);
      }
      path.removeLast();
    }
  }

  private static boolean isEmpty(Object value) {
    return value instanceof Tree tree && tree.isEmpty();
  }

  private void visitElements(Structure.ListStructure structure, @Nullable Object value) {
    var seen = new HashSet<String>();
    var repeated = new HashSet<String>();
    for (var element : Absent.list(value)) {
      // An element that lost all its fields is nobody's.
      if (element != null && !seen.add(PathElement.element(structure, element))) {
        repeated.add(PathElement.element(structure, element));
      }
    }
    for (var element : Absent.list(value)) {
      if (element == null) {
        continue;
      }
      var step = PathElement.element(structure, element);
      path.add(step);
      if (!repeated.contains(step)) {
        visit(structure.element(), element);
      }
      set.insert(path);
      path.removeLast();
    }
  }
}
