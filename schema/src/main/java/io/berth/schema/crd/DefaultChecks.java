package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Defaults are values that the schema itself would let pass.
final class DefaultChecks {

  private static final Set<String> META = Set.of("metadata", "kind", "apiVersion");

  private DefaultChecks() {}

  static void check(Tree schema, FieldPath path, FieldErrors errors) {
    check(schema, path, true, false, errors);
  }

  /// `insideMeta`: the schema is about what every object has, such as its metadata.
  private static void check(
      Tree schema, FieldPath path, boolean root, boolean insideMeta, FieldErrors errors) {
    boolean resource = root || schema.flag("x-kubernetes-embedded-resource");
    boolean meta = insideMeta && !resource;
    var value = schema.get("default");
    if (value != null) {
      checkDefault(schema, value, meta, path.child("default"), errors);
    }
    var items = schema.tree("items");
    if (items != null) {
      check(items, path.child("items"), false, meta, errors);
    }
    schema
        .treeOrEmpty("properties")
        .fields()
        .forEach((name, property) -> {
          if (property instanceof Tree tree) {
            check(
                tree,
                path.child("properties").key(name),
                false,
                meta || (resource && META.contains(name)),
                errors);
          }
        });
  }

  private static void checkDefault(
      Tree schema, Object value, boolean insideMeta, FieldPath path, FieldErrors errors) {
    var structure = StructuralSchema.of(schema);
    if (!insideMeta && !Objects.equals(pruned(value, structure), value)) {
      errors.invalid(path, Sorted.of(value), "must not have unknown fields");
    }
    var found = new FieldErrors();
    EmbeddedResources.check(value, structure, path, found);
    if (found.isEmpty()) {
      SchemaRules.of(schema).check(value, "", null).addTo(path, found);
    }
    if (found.isEmpty() && structure.hasExpressions()) {
      var rules = ExpressionRules.of(structure, structure.isEmbedded());
      rules.check(value, value, path, found);
      if (found.isEmpty()) {
        rules.check(value, null, path, found);
      }
    }
    errors.addAll(found);
  }

  private static @Nullable Object pruned(Object value, StructuralSchema schema) {
    var copy = Tree.copyOf(value);
    schema.pruneValue(copy, "", new ArrayList<>());
    return copy;
  }
}
