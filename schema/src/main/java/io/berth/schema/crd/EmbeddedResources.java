package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.schema.Canonical;
import io.berth.schema.Type;
import io.berth.schema.Types;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Whole objects inside of others (`x-kubernetes-embedded-resource`) say what they are, and have
/// metadata like any other object.
final class EmbeddedResources {

  private static final Type METADATA = Types.kubernetes().type("meta.v1.ObjectMeta");

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

  /// Gives embedded objects canonical metadata; complaints about it are added to `complaints`.
  static void complete(
      @Nullable Object value,
      @Nullable StructuralSchema schema,
      String path,
      List<String> complaints) {
    if (schema == null) {
      return;
    }
    if (value instanceof Tree tree) {
      if (schema.isEmbedded() && tree.get("metadata") instanceof Tree metadata) {
        var found = new ArrayList<String>();
        tree.put("metadata", Canonical.ofPatched(METADATA, metadata, found));
        found.forEach(each -> complaints.add(each.replaceFirst("\"", "\"" + path + ".metadata.")));
      }
      tree.fields()
          .forEach((name, each) ->
              complete(
                  each, schema.at(name), path.isEmpty() ? name : path + "." + name, complaints));
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        complete(list.get(i), schema.items(), path + "[" + i + "]", complaints);
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
