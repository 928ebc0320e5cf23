package io.berth.schema.openapi;

import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The schemas of custom kinds, as their definitions have them and as clients can read them.
///
/// Version 2 knows no alternatives, and kubectl refuses fields beside those that an object lists:
/// there, what is open is published without its fields, as in Kubernetes.
final class CustomSchemas {

  private static final String OPEN = "x-kubernetes-preserve-unknown-fields";

  private CustomSchemas() {}

  static void add(SchemaBuilder schemas, Resource resource, Tree given, boolean swagger) {
    var name = SchemaNames.ofCustom(resource.group(), resource.version(), resource.kind());
    schemas.put(name, kind(schemas, resource, given, swagger));
    schemas.put(name + "List", list(schemas, name, resource));
  }

  private static Tree kind(SchemaBuilder schemas, Resource resource, Tree given, boolean swagger) {
    if (swagger && given.flag(OPEN)) {
      return named(Tree.of("type", "object"), resource, "");
    }
    var schema = swagger ? plain(given) : given.copy();
    var properties = schema.child("properties");
    properties.put("apiVersion", schemas.typeMeta("apiVersion"));
    properties.put("kind", schemas.typeMeta("kind"));
    properties.put("metadata", metadata(schemas, "meta.v1.ObjectMeta"));
    return named(schema, resource, "");
  }

  private static Tree metadata(SchemaBuilder schemas, String type) {
    return schemas
        .described("TypeMeta.metadata")
        .put("allOf", List.of(SchemaBuilder.ref(schemas.addType(type))));
  }

  private static Tree named(Tree schema, Resource resource, String suffix) {
    var kinds = new ArrayList<@Nullable Object>();
    kinds.add(SchemaBuilder.groupVersionKind(resource.apiVersion(), resource.kind() + suffix));
    return schema.put("x-kubernetes-group-version-kind", kinds);
  }

  private static Tree list(SchemaBuilder schemas, String item, Resource resource) {
    var properties =
        Tree.of(
            "apiVersion",
            schemas.typeMeta("apiVersion"),
            "kind",
            schemas.typeMeta("kind"),
            "metadata",
            metadata(schemas, "meta.v1.ListMeta"),
            "items",
            Tree.of("type", "array", "items", SchemaBuilder.ref(item)));
    return named(
        Tree.of("type", "object", "required", List.of("items"), "properties", properties),
        resource,
        "List");
  }

  /// A schema without what version 2 has no words for.
  private static Tree plain(Tree schema) {
    var plain = schema.copy();
    for (var field : List.of("allOf", "oneOf", "anyOf", "not")) {
      plain.remove(field);
    }
    boolean nullable = plain.flag("nullable");
    boolean open = plain.flag(OPEN);
    if (nullable || open) {
      plain.remove("items");
      plain.remove("properties");
    }
    plain.remove("nullable");
    var type = plain.textOrEmpty("type");
    if (nullable
        || (type.equals("array") && plain.get("items") == null)
        || (type.equals("object") && open)) {
      plain.remove("type");
    }
    dropNullableFromRequired(plain);
    convertBelow(plain);
    return plain;
  }

  private static void dropNullableFromRequired(Tree schema) {
    var required = new ArrayList<@Nullable Object>(schema.list("required"));
    required.removeIf(name -> schema.flag("properties", String.valueOf(name), "nullable"));
    if (schema.flag("additionalProperties", "nullable") || required.isEmpty()) {
      schema.remove("required");
    } else {
      schema.put("required", required);
    }
  }

  private static void convertBelow(Tree schema) {
    for (var field : List.of("items", "additionalProperties")) {
      var inner = schema.tree(field);
      if (inner != null) {
        schema.put(field, plain(inner));
      }
    }
    var properties = schema.tree("properties");
    if (properties != null) {
      for (var name : List.copyOf(properties.names())) {
        if (properties.get(name) instanceof Tree property) {
          properties.put(name, plain(property));
        }
      }
    }
  }
}
