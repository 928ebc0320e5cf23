package io.berth.kinds.apiextensions;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.List;

/// Rules of the schemas in a definition that can be told without reading objects by them.
///
/// Whether defaults fit their schema and whether CEL rules compile is for whoever serves the
/// objects to say.
final class Schemas {

  private final FieldErrors errors;

  private Schemas(FieldErrors errors) {
    this.errors = errors;
  }

  static void validate(Tree schema, FieldPath path, FieldErrors errors) {
    new Schemas(errors).schema(schema, path);
  }

  private void schema(Tree schema, FieldPath path) {
    if (schema.flag("uniqueItems")) {
      errors.forbidden(
          path.child("uniqueItems"),
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    if (schema.has("additionalProperties") && !schema.treeOrEmpty("properties").isEmpty()) {
      errors.forbidden(
          path.child("additionalProperties"),
          "additionalProperties and properties are mutual exclusive");
    }
    listType(schema, path);
    for (var property : schema.treeOrEmpty("properties").fields().entrySet()) {
      if (property.getValue() instanceof Tree child) {
        schema(child, path.child("properties").key(property.getKey()));
      }
    }
    for (var field : List.of("additionalProperties", "items", "not")) {
      var child = schema.tree(field);
      if (child != null) {
        schema(child, path.child(field));
      }
    }
    for (var field : List.of("allOf", "anyOf", "oneOf")) {
      var children = schema.trees(field);
      for (int i = 0; i < children.size(); i++) {
        schema(children.get(i), path.child(field).index(i));
      }
    }
  }

  private void listType(Tree schema, FieldPath path) {
    var type = schema.textOrEmpty("x-kubernetes-list-type");
    var keys = schema.list("x-kubernetes-list-map-keys");
    var keysPath = path.child("x-kubernetes-list-map-keys");
    if (type.equals("map") && keys.isEmpty()) {
      errors.required(keysPath, "must not be empty if x-kubernetes-list-type is map");
    }
    if (!type.equals("map") && !keys.isEmpty()) {
      if (type.isEmpty()) {
        errors.required(
            path.child("x-kubernetes-list-type"),
            "must be map if x-kubernetes-list-map-keys is non-empty");
      } else {
        errors.invalid(
            path.child("x-kubernetes-list-type"),
            type,
            "must be map if x-kubernetes-list-map-keys is non-empty");
      }
    }
  }
}
