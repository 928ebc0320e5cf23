package io.berth.workloads.rest;

import io.berth.api.Tree;
import io.berth.workloads.types.Answers;
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
      responses.put(Integer.toString(code), success(route, code));
    }
    for (var code : List.of(400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 500, 501, 503)) {
      // The second token endpoint refuses as OAuth does.
      boolean oauth = route.path().equals("/api/v2/token") && (code == 400 || code == 401);
      responses.putIfAbsent(
          Integer.toString(code), response(ref(oauth ? "OAuth2Error" : "Error"), "Refused."));
    }
    if (route.method().equals("GET")) {
      responses.put("304", Tree.of("description", "Not changed."));
    }
    return responses;
  }

  private static Tree success(Route route, int code) {
    if (code == 204 || route.isSilent()) {
      return Tree.of("description", "As asked.");
    }
    var type = Answers.find(route.method(), route.path(), code);
    var schema = type.map(OpenApi::body).orElseGet(Tree::new);
    return Tree.of(
        "description",
        "As asked.",
        "content",
        Tree.of(route.contentType(), Tree.of("schema", schema)));
  }

  private static Tree response(Tree schema, String description) {
    return Tree.of(
        "description",
        description,
        "content",
        Tree.of("application/json", Tree.of("schema", schema)));
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
                    "details", Tree.of("type", "string")),
                "required",
                List.of("code", "message")));
    for (var name : Types.ANSWERS.names()) {
      schemas.putIfAbsent(name, object(Types.ANSWERS, name));
    }
    for (var name : Types.REQUESTS.names()) {
      schemas.put(name, object(Types.REQUESTS, name).put("additionalProperties", false));
    }
    return schemas;
  }

  private static Tree object(Types types, String name) {
    var properties = new Tree();
    var required = new ArrayList<Object>();
    for (var field : types.fields(name).values()) {
      properties.put(field.name(), nullable(schema(field.type()), field.required()));
      if (field.required()) {
        required.add(field.name());
      }
    }
    var schema = Tree.of("type", "object", "properties", properties);
    return required.isEmpty() ? schema : schema.put("required", required);
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
