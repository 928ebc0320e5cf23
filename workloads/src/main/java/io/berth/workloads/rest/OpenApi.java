package io.berth.workloads.rest;

import io.berth.api.Tree;
import io.berth.workloads.types.Type;
import io.berth.workloads.types.Types;
import java.util.ArrayList;
import java.util.List;

/// The OpenAPI 3.1 document, made of the routes and the table of types.
public final class OpenApi {

  private OpenApi() {}

  public static Tree document(List<Route> routes) {
    var paths = new Tree();
    for (var route : routes) {
      if (!route.isServed()) {
        continue;
      }
      paths
          .child(route.path())
          .put(route.method().toLowerCase(java.util.Locale.ROOT), operation(route));
    }
    return Tree.of(
        "openapi",
        "3.1.0",
        "info",
        Tree.of("title", "Berth workload API", "version", "v1"),
        "paths",
        paths,
        "components",
        Tree.of(
            "securitySchemes",
                Tree.of(
                    "token", Tree.of("type", "http", "scheme", "bearer", "bearerFormat", "JWT")),
            "schemas", schemas()));
  }

  private static Tree operation(Route route) {
    var operation = Tree.of("operationId", route.name());
    operation.put("security", route.isOpen() ? List.of() : List.of(Tree.of("token", List.of())));
    var parameters = new ArrayList<Object>();
    for (var segment : route.segments()) {
      if (segment.startsWith("{")) {
        parameters.add(
            Tree.of(
                "name",
                segment.substring(1, segment.length() - 1),
                "in",
                "path",
                "required",
                true,
                "schema",
                Tree.of("type", "string")));
      }
    }
    route.parameters().forEach(parameter -> parameters.add(query(parameter)));
    if (!parameters.isEmpty()) {
      operation.put("parameters", parameters);
    }
    if (!route.body().isEmpty()) {
      operation.put(
          "requestBody",
          Tree.of("content", Tree.of("application/json", Tree.of("schema", body(route.body())))));
    }
    return operation.put("responses", responses(route));
  }

  private static Tree query(String parameter) {
    var name = parameter.replaceAll("[*\\[\\]]", "");
    return Tree.of(
        "name",
        name,
        "in",
        "query",
        "required",
        parameter.endsWith("*"),
        "schema",
        parameter.contains("[]")
            ? Tree.of("type", "array", "items", Tree.of("type", "string"))
            : Tree.of("type", "string"));
  }

  private static Tree body(String type) {
    return type.startsWith("[")
        ? Tree.of("type", "array", "items", ref(type.substring(1, type.length() - 1)))
        : ref(type);
  }

  /// The successes of the route, and the refusals any operation may answer with.
  private static Tree responses(Route route) {
    var responses = new Tree();
    for (var code : route.codes()) {
      responses.put(Integer.toString(code), response(code == 204 ? "" : "any", "As asked."));
    }
    for (var code : List.of(400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 500, 501, 503)) {
      responses.putIfAbsent(Integer.toString(code), response("Error", "Refused."));
    }
    if (route.method().equals("GET")) {
      responses.put("304", response("", "Not changed."));
    }
    return responses;
  }

  private static Tree response(String schema, String description) {
    var response = Tree.of("description", description);
    if (!schema.isEmpty()) {
      var type = schema.equals("any") ? Tree.of() : ref(schema);
      response.put("content", Tree.of("application/json", Tree.of("schema", type)));
    }
    return response;
  }

  private static Tree schemas() {
    var schemas =
        Tree.of(
            "Error",
            Tree.of(
                "type",
                "object",
                "properties",
                Tree.of(
                    "code", Tree.of("type", "integer"),
                    "message", Tree.of("type", "string"),
                    "details", Tree.of("type", "string"))));
    for (var name : Types.REQUESTS.names()) {
      var properties = new Tree();
      var required = new ArrayList<Object>();
      for (var field : Types.REQUESTS.fields(name).values()) {
        properties.put(field.name(), nullable(schema(field.type()), field.required()));
        if (field.required()) {
          required.add(field.name());
        }
      }
      var schema =
          Tree.of("type", "object", "properties", properties, "additionalProperties", false);
      schemas.put(name, required.isEmpty() ? schema : schema.put("required", required));
    }
    return schemas;
  }

  private static Tree nullable(Tree schema, boolean required) {
    return required || schema.isEmpty()
        ? schema
        : Tree.of("anyOf", List.of(schema, Tree.of("type", "null")));
  }

  private static Tree schema(Type type) {
    return switch (type) {
      case Type.Any _ -> new Tree();
      case Type.Flag _ -> Tree.of("type", "boolean");
      case Type.OneOf(var values) -> Tree.of("enum", new ArrayList<Object>(values));
      case Type.Text text -> text(text);
      case Type.Numeric number -> number(number);
      case Type.ListOf list -> {
        var schema = Tree.of("type", "array", "items", schema(list.element()));
        if (list.most() < Integer.MAX_VALUE) {
          schema.put("maxItems", list.most());
        }
        yield list.least() > 0 ? schema.put("minItems", list.least()) : schema;
      }
      case Type.MapOf(var value) ->
          Tree.of("type", "object", "additionalProperties", schema(value));
      case Type.Ref(var name) -> ref(name);
    };
  }

  private static Tree text(Type.Text text) {
    var schema = Tree.of("type", "string");
    if (text.least() > 0) {
      schema.put("minLength", text.least());
    }
    if (text.most() < Integer.MAX_VALUE) {
      schema.put("maxLength", text.most());
    }
    return text.pattern() == null ? schema : schema.put("pattern", text.pattern().pattern());
  }

  private static Tree number(Type.Numeric number) {
    var schema = Tree.of("type", number.whole() ? "integer" : "number");
    if (!Double.isInfinite(number.least())) {
      schema.put("minimum", number.least());
    }
    return Double.isInfinite(number.most()) ? schema : schema.put("maximum", number.most());
  }

  private static Tree ref(String name) {
    return Tree.of("$ref", "#/components/schemas/" + name);
  }
}
