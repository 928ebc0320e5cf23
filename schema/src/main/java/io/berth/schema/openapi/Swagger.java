package io.berth.schema.openapi;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The same document in OpenAPI v2, which calls schemas definitions and bodies parameters.
final class Swagger {

  private static final String V3_REF = "#/components/schemas/";
  private static final String V2_REF = "#/definitions/";

  private Swagger() {}

  static Tree of(Tree v3) {
    var definitions = new Tree();
    v3.treeOrEmpty("components", "schemas")
        .fields()
        .forEach((name, definition) -> definitions.put(name, schema(definition)));
    var paths = new Tree();
    v3.treeOrEmpty("paths")
        .fields()
        .forEach((path, item) -> paths.put(path, pathItem((Tree) Objects.requireNonNull(item))));
    return Tree.of(
        "swagger", "2.0", "info", v3.get("info"), "paths", paths, "definitions", definitions);
  }

  private static @Nullable Object schema(@Nullable Object value) {
    if (value instanceof List<?> list) {
      var converted = new ArrayList<@Nullable Object>(list.size());
      list.forEach(element -> converted.add(schema(element)));
      return converted;
    }
    if (!(value instanceof Tree tree)) {
      return value instanceof String text && text.startsWith(V3_REF)
          ? V2_REF + text.substring(V3_REF.length())
          : value;
    }
    var converted = new Tree();
    for (var entry : tree.fields().entrySet()) {
      switch (entry.getKey()) {
        case "allOf" -> {
          if (entry.getValue() instanceof List<?> list
              && list.size() == 1
              && schema(list.getFirst()) instanceof Tree only) {
            only.fields().forEach(converted::put);
          }
        }
        // v2 has no choice of types; kubectl takes both for text.
        case "oneOf" -> converted.put("type", "string");
        case "properties" -> converted.put("properties", properties(entry.getValue()));
        case "nullable" -> {}
        default -> converted.put(entry.getKey(), schema(entry.getValue()));
      }
    }
    return converted;
  }

  /// Names of properties are no keywords, whatever they look like.
  private static Tree properties(@Nullable Object value) {
    var converted = new Tree();
    if (value instanceof Tree properties) {
      properties.fields().forEach((name, property) -> converted.put(name, schema(property)));
    }
    return converted;
  }

  private static Tree pathItem(Tree item) {
    var converted = new Tree();
    item.fields()
        .forEach((name, value) ->
            converted.put(
                name,
                name.equals("parameters")
                    ? parameters(item)
                    : operation((Tree) Objects.requireNonNull(value))));
    return converted;
  }

  private static Tree operation(Tree operation) {
    var parameters = parameters(operation);
    var body = operation.tree("requestBody");
    var converted = Tree.of("operationId", operation.get("operationId"));
    if (body != null) {
      var content = body.treeOrEmpty("content");
      converted.put("consumes", new ArrayList<>(content.names()));
      parameters.add(
          Tree.of(
              "name",
              "body",
              "in",
              "body",
              "required",
              body.flag("required"),
              "schema",
              firstSchema(content)));
    }
    converted.put("produces", List.of("application/json"));
    if (!parameters.isEmpty()) {
      converted.put("parameters", parameters);
    }
    converted.put("responses", responses(operation.treeOrEmpty("responses")));
    for (var extension : List.of("x-kubernetes-action", "x-kubernetes-group-version-kind")) {
      converted.put(extension, operation.get(extension));
    }
    return converted;
  }

  private static List<@Nullable Object> parameters(Tree holder) {
    var parameters = new ArrayList<@Nullable Object>();
    for (var parameter : holder.trees("parameters")) {
      var converted = Tree.of("name", parameter.get("name"), "in", parameter.get("in"));
      if (parameter.flag("required")) {
        converted.put("required", true);
      }
      parameters.add(converted.put("type", parameter.text("schema", "type")));
    }
    return parameters;
  }

  private static Tree responses(Tree responses) {
    var converted = new Tree();
    responses
        .fields()
        .forEach((code, value) -> {
          var response = (Tree) Objects.requireNonNull(value);
          var answer = Tree.of("description", response.get("description"));
          var content = response.tree("content");
          if (content != null) {
            answer.put("schema", firstSchema(content));
          }
          converted.put(code, answer);
        });
    return converted;
  }

  private static @Nullable Object firstSchema(Tree content) {
    var first = content.names().iterator().next();
    return schema(content.at(first, "schema"));
  }
}
