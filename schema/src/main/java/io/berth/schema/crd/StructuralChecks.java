package io.berth.schema.crd;

import com.google.re2j.PatternSyntaxException;
import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.schema.Patterns;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A structural schema says what type every field has, outside of all alternatives.
final class StructuralChecks {

  private static final List<Tree> INT_OR_STRING =
      List.of(Tree.of("type", "integer"), Tree.of("type", "string"));

  private final FieldErrors errors = new FieldErrors();

  private StructuralChecks() {}

  private enum Level {
    ROOT("must not be empty at the root"),
    ITEM("must not be empty for specified array items"),
    FIELD("must not be empty for specified object fields");

    private final String typeMissing;

    Level(String typeMissing) {
      this.typeMissing = typeMissing;
    }
  }

  /// Objections, in the order of their texts.
  static void check(Tree schema, FieldPath path, FieldErrors errors) {
    var checks = new StructuralChecks();
    checks.invariants(schema, Level.ROOT, path);
    checks.completeness(schema, schema, path, path);
    checks.errors.list().stream()
        .sorted(Comparator.comparing(FieldError::toString))
        .forEach(errors::add);
  }

  private void invariants(Tree schema, Level level, FieldPath path) {
    var type = schema.textOrEmpty("type");
    var items = schema.tree("items");
    if (type.equals("array") && items == null) {
      errors.required(path.child("items"), "must be specified");
    }
    if (items != null) {
      invariants(items, Level.ITEM, path.child("items"));
    }
    schema
        .treeOrEmpty("properties")
        .fields()
        .forEach((name, property) -> {
          if (property instanceof Tree tree) {
            invariants(tree, Level.FIELD, path.child("properties").key(name));
          }
        });
    additional(schema, level, path);
    extensions(schema, path);
    alternatives(schema, path, isIntOrString(schema), isIntOrString(first(schema, "allOf")));
    type(schema, type, level, path);
    meta(schema, level, path);
  }

  private void additional(Tree schema, Level level, FieldPath path) {
    if (schema.get("additionalProperties") == null) {
      return;
    }
    if (level == Level.ROOT) {
      errors.forbidden(path.child("additionalProperties"), "must not be used at the root");
    }
    var additional = schema.tree("additionalProperties");
    if (additional != null) {
      invariants(additional, Level.FIELD, path.child("additionalProperties"));
    }
    if (schema.flag("x-kubernetes-embedded-resource")) {
      errors.forbidden(
          path.child("additionalProperties"),
          "must not be used if x-kubernetes-embedded-resource is set");
    }
  }

  private void extensions(Tree schema, FieldPath path) {
    for (var field :
        List.of("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource")) {
      if (schema.flag("x-kubernetes-int-or-string") && schema.flag(field)) {
        errors.invalid(
            path.child(field), true, "must be false if x-kubernetes-int-or-string is true");
      }
    }
  }

  private void type(Tree schema, String type, Level level, FieldPath path) {
    var at = path.child("type");
    if (schema.flag("x-kubernetes-embedded-resource") && !type.equals("object")) {
      var detail = "must be object if x-kubernetes-embedded-resource is true";
      if (type.isEmpty()) {
        errors.required(at, detail);
      } else {
        errors.invalid(at, type, detail);
      }
    } else if (type.isEmpty()
        && !schema.flag("x-kubernetes-int-or-string")
        && !schema.flag("x-kubernetes-preserve-unknown-fields")) {
      errors.required(at, level.typeMissing);
    }
    if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
      errors.invalid(at, type, "must be object at the root");
    }
  }

  private void meta(Tree schema, Level level, FieldPath path) {
    boolean embedded = schema.flag("x-kubernetes-embedded-resource");
    var properties = schema.treeOrEmpty("properties");
    if (level == Level.ROOT || embedded) {
      for (var name : List.of("kind", "apiVersion")) {
        var property = properties.tree(name);
        if (property != null && !property.textOrEmpty("type").equals("string")) {
          errors.invalid(
              path.child("properties").key(name).child("type"),
              property.textOrEmpty("type"),
              "must be string");
        }
      }
    }
    var metadata = properties.tree("metadata");
    if (metadata != null) {
      metadata(metadata, level, embedded, path.child("properties").key("metadata"));
    }
    if (embedded && !schema.flag("x-kubernetes-preserve-unknown-fields") && properties.isEmpty()) {
      errors.required(
          path.child("properties"),
          "must not be empty if x-kubernetes-embedded-resource is true without"
              + " x-kubernetes-preserve-unknown-fields");
    }
  }

  private void metadata(Tree metadata, Level level, boolean embedded, FieldPath path) {
    if ((level == Level.ROOT || embedded) && !metadata.textOrEmpty("type").equals("object")) {
      errors.invalid(path.child("type"), metadata.textOrEmpty("type"), "must be object");
    }
    if (level != Level.ROOT) {
      return;
    }
    boolean known =
        metadata.treeOrEmpty("properties").names().stream()
            .allMatch(name -> name.equals("name") || name.equals("generateName"));
    boolean more =
        metadata.names().stream()
            .anyMatch(name -> !List.of("type", "properties", "default").contains(name));
    if (!known || more) {
      errors.forbidden(
          path,
          "must not specify anything other than name and generateName, but metadata is implicitly"
              + " specified");
    }
  }

  private static @Nullable Tree first(Tree schema, String field) {
    var list = schema.trees(field);
    return list.isEmpty() ? null : list.getFirst();
  }

  /// The one way in which alternatives may name types.
  private static boolean isIntOrString(@Nullable Tree schema) {
    return schema != null && schema.list("anyOf").equals(INT_OR_STRING);
  }

  private void alternatives(Tree schema, FieldPath path, boolean skipAnyOf, boolean skipFirst) {
    for (var field : List.of("anyOf", "allOf", "oneOf")) {
      var list = schema.trees(field);
      for (int i = 0; i < list.size(); i++) {
        if (!field.equals("anyOf") || !skipAnyOf) {
          boolean skip = field.equals("allOf") && i == 0 && skipFirst;
          nested(list.get(i), path.child(field).index(i), skip);
        }
      }
    }
    var not = schema.tree("not");
    if (not != null) {
      nested(not, path.child("not"), false);
    }
    pattern(schema.textOrEmpty("pattern"), path.child("pattern"));
  }

  private void pattern(String pattern, FieldPath path) {
    try {
      var _ = Patterns.compile(pattern);
    } catch (PatternSyntaxException e) {
      errors.invalid(
          path, pattern, "must be a valid regular expression, but isn't: " + e.getMessage());
    }
  }

  /// A schema inside of alternatives may restrict values, and nothing else.
  private void nested(Tree schema, FieldPath path, boolean skipAnyOf) {
    alternatives(schema, path, skipAnyOf, false);
    var items = schema.tree("items");
    if (items != null) {
      nested(items, path.child("items"), false);
    }
    schema
        .treeOrEmpty("properties")
        .fields()
        .forEach((name, property) -> {
          if (property instanceof Tree tree) {
            nested(tree, path.child("properties").key(name), false);
          }
        });
    forbidden(schema, "type", path, "must be empty to be structural");
    if (schema.get("additionalProperties") instanceof Tree || schema.flag("additionalProperties")) {
      errors.forbidden(path.child("additionalProperties"), "must be undefined to be structural");
    }
    forbidden(schema, "default", path, "must be undefined to be structural");
    forbidden(schema, "title", path, "must be empty to be structural");
    forbidden(schema, "description", path, "must be empty to be structural");
    for (var flag :
        List.of(
            "nullable",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string")) {
      if (schema.flag(flag)) {
        errors.forbidden(path.child(flag), "must be false to be structural");
      }
    }
    forbidden(schema, "x-kubernetes-list-map-keys", path, "must be empty to be structural");
    forbidden(schema, "x-kubernetes-list-type", path, "must be undefined to be structural");
    forbidden(schema, "x-kubernetes-map-type", path, "must be undefined to be structural");
    forbidden(schema, "x-kubernetes-validations", path, "must be empty to be structural");
    if (schema.treeOrEmpty("properties").has("metadata")) {
      errors.forbidden(
          path.child("properties").key("metadata"), "must not be specified in a nested context");
    }
  }

  private void forbidden(Tree schema, String field, FieldPath path, String detail) {
    var value = schema.get(field);
    boolean empty =
        value == null
            || (value instanceof String text && text.isEmpty())
            || (value instanceof List<?> list && list.isEmpty());
    if (!empty) {
      errors.forbidden(path.child(field), detail);
    }
  }

  /// What alternatives speak of must be there outside of them.
  private void completeness(
      Tree values, @Nullable Tree structure, FieldPath at, FieldPath valuesAt) {
    for (var field : List.of("not", "allOf", "anyOf", "oneOf")) {
      var single = values.tree(field);
      if (single != null) {
        nestedCompleteness(single, structure, at, valuesAt.child(field));
      }
      var list = values.trees(field);
      for (int i = 0; i < list.size(); i++) {
        nestedCompleteness(list.get(i), structure, at, valuesAt.child(field).index(i));
      }
    }
  }

  private void nestedCompleteness(
      Tree values, @Nullable Tree structure, FieldPath at, FieldPath valuesAt) {
    if (structure == null) {
      errors.required(at, "because it is defined in " + valuesAt);
      return;
    }
    completeness(values, structure, at, valuesAt);
    var items = values.tree("items");
    if (items != null) {
      nestedCompleteness(
          items, structure.tree("items"), at.child("items"), valuesAt.child("items"));
    }
    values
        .treeOrEmpty("properties")
        .fields()
        .forEach((name, property) -> {
          if (property instanceof Tree tree) {
            nestedCompleteness(
                tree,
                structure.tree("properties", name),
                at.child("properties").key(name),
                valuesAt.child("properties").key(name));
          }
        });
  }
}
