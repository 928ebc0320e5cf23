package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whole objects inside of others (`x-kubernetes-embedded-resource`) say what they are.
final class EmbeddedResources {

  private EmbeddedResources() {}

  static void check(
      @Nullable Object value,
      @Nullable StructuralSchema schema,
      FieldPath path,
      FieldErrors errors) {
    if (schema == null) {
      return;
    }
    if (value instanceof Tree tree) {
      if (schema.isEmbedded()) {
        checkType(tree, path, errors);
      }
      tree.fields()
          .forEach((name, each) -> {
            var property = schema.property(name);
            check(
                each,
                property == null ? schema.additional() : property,
                property == null ? path.key(name) : path.child(name),
                errors);
          });
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        check(list.get(i), schema.items(), path.index(i), errors);
      }
    }
  }

  private static void checkType(Tree embedded, FieldPath path, FieldErrors errors) {
    for (var name : List.of("apiVersion", "kind")) {
      if (!embedded.has(name)) {
        errors.required(path.child(name));
      } else if (!(embedded.get(name) instanceof String text)) {
        errors.invalid(path.child(name), embedded.get(name), "must be a string");
      } else if (text.isEmpty()) {
        errors.invalid(path.child(name), text, "must not be empty");
      }
    }
  }
}
