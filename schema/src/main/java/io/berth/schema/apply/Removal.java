package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes fields out of an object. What becomes empty by it becomes `null`.
final class Removal {

  private Removal() {}

  static Tree of(Structure structure, Tree object, FieldSet fields) {
    return without(structure, object, fields) instanceof Tree rest ? rest : new Tree();
  }

  private static @Nullable Object without(
      Structure structure, @Nullable Object value, FieldSet fields) {
    return switch (Structure.resolve(structure, value)) {
      case Structure.ObjectStructure object ->
          value instanceof Tree tree && !object.atomic() ? fromObject(object, tree, fields) : null;
      case Structure.ListStructure list ->
          value instanceof List<?> elements && list.associative()
              ? fromList(list, elements, fields)
              : null;
      case Structure.Leaf _, Structure.Untyped _ -> value;
    };
  }

  private static @Nullable Tree fromObject(
      Structure.ObjectStructure structure, Tree tree, FieldSet fields) {
    var rest = new Tree();
    for (var entry : tree.fields().entrySet()) {
      var step = PathElement.field(entry.getKey());
      if (fields.has(step)) {
        continue;
      }
      var below = fields.below(step);
      var inner = structure.at(entry.getKey());
      rest.put(
          entry.getKey(),
          below.isEmpty() || inner == null
              ? entry.getValue()
              : without(inner, entry.getValue(), below));
    }
    return rest.isEmpty() ? null : rest;
  }

  private static @Nullable List<@Nullable Object> fromList(
      Structure.ListStructure structure, List<?> elements, FieldSet fields) {
    var rest = new ArrayList<@Nullable Object>(elements.size());
    for (var element : elements) {
      var step = PathElement.element(structure, element);
      if (!fields.has(step)) {
        var below = fields.below(step);
        rest.add(below.isEmpty() ? element : without(structure.element(), element, below));
      }
    }
    return rest.isEmpty() ? null : rest;
  }
}
