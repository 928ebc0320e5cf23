package io.berth.schema.openapi;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Builds the paths of resources: operations, their parameters, bodies and answers.
final class PathBuilder {

  private static final List<String> BODY_TYPES =
      List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");
  private static final List<String> PATCH_TYPES =
      List.of(
          "application/apply-patch+yaml",
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json");
  private static final List<String> ANY_TYPE = List.of("*/*");
  private static final List<String> LIST_TYPES =
      List.of(
          "application/json",
          "application/json;stream=watch",
          "application/vnd.kubernetes.protobuf",
          "application/vnd.kubernetes.protobuf;stream=watch",
          "application/yaml");
  private static final List<String> CUSTOM_PATCH_TYPES = PATCH_TYPES.subList(0, 3);

  private final SchemaBuilder schemas;
  private final Map<String, Tree> paths = new TreeMap<>();

  PathBuilder(SchemaBuilder schemas) {
    this.schemas = schemas;
  }

  Map<String, Tree> build() {
    return paths;
  }

  void add(Endpoint endpoint) {
    var resource = endpoint.resource();
    var root = resource.group().isEmpty() ? "/api/" : "/apis/";
    var base = root + resource.apiVersion() + "/";
    var collection =
        resource.namespaced()
            ? base + "namespaces/{namespace}/" + resource.plural()
            : base + resource.plural();
    if (resource.namespaced() && endpoint.verbs().contains("list")) {
      var everywhere = path(base + resource.plural(), false, false);
      put(everywhere, "get", operation(endpoint, "list", false));
    }
    addCollection(endpoint, path(collection, resource.namespaced(), false));
    addItem(endpoint, path(collection + "/{name}", resource.namespaced(), true));
    for (var subresource : endpoint.subresources()) {
      var path = collection + "/{name}/" + subresource.name();
      addSubresource(endpoint, subresource, path(path, resource.namespaced(), true));
    }
    paths.values().removeIf(path -> path.size() == (path.has("parameters") ? 1 : 0));
  }

  private void addCollection(Endpoint endpoint, Tree path) {
    for (var verb : endpoint.verbs()) {
      switch (verb) {
        case "list" -> put(path, "get", operation(endpoint, "list"));
        case "create" -> put(path, "post", operation(endpoint, "post"));
        case "deletecollection" -> put(path, "delete", operation(endpoint, "deletecollection"));
        default -> {}
      }
    }
  }

  private void addItem(Endpoint endpoint, Tree path) {
    for (var verb : endpoint.verbs()) {
      switch (verb) {
        case "get" -> put(path, "get", operation(endpoint, "get"));
        case "update" -> put(path, "put", operation(endpoint, "put"));
        case "patch" -> put(path, "patch", operation(endpoint, "patch"));
        case "delete" -> put(path, "delete", operation(endpoint, "delete"));
        default -> {}
      }
    }
  }

  private void addSubresource(Endpoint endpoint, Endpoint.Subresource subresource, Tree path) {
    var resource = endpoint.resource();
    boolean custom = endpoint.schema() != null;
    boolean own = subresource.kind().equals(resource.kind());
    for (var verb : subresource.verbs()) {
      var method =
          switch (verb) {
            case "get" -> "get";
            case "create" -> "post";
            case "update" -> "put";
            case "patch" -> "patch";
            case "delete" -> "delete";
            default -> "";
          };
      if (!method.isEmpty()) {
        var schema =
            schemaName(subresource.apiVersion(), subresource.kind(), own ? endpoint : null);
        var action =
            new Action(method, subresource.apiVersion(), subresource.kind(), schema, custom);
        var id = OperationIds.ofSubresource(method, resource, subresource.name());
        put(path, method, operation(action, id, OperationIds.tag(resource)));
      }
    }
  }

  private Tree operation(Endpoint endpoint, String action) {
    return operation(endpoint, action, true);
  }

  private Tree operation(Endpoint endpoint, String action, boolean inNamespace) {
    var resource = endpoint.resource();
    var schema = schemaName(resource.apiVersion(), resource.kind(), endpoint);
    return operation(
        new Action(
            action, resource.apiVersion(), resource.kind(), schema, endpoint.schema() != null),
        OperationIds.of(action, resource, inNamespace),
        OperationIds.tag(resource));
  }

  /// What an operation does, and to which kind; `schema` is empty where the kind has none.
  private record Action(
      String name, String apiVersion, String kind, String schema, boolean custom) {

    boolean isList() {
      return name.equals("list");
    }
  }

  /// Options of `exec` and its like are no objects and have no schema.
  private String schemaName(String apiVersion, String kind, @Nullable Endpoint endpoint) {
    if (endpoint != null && endpoint.schema() != null) {
      var resource = endpoint.resource();
      return SchemaNames.ofCustom(resource.group(), resource.version(), kind);
    }
    return schemas.knows(apiVersion, kind) ? schemas.add(apiVersion, kind) : "";
  }

  private Tree operation(Action action, String id, String tag) {
    var verb = action.name();
    var operation = new Tree();
    operation.put("tags", new ArrayList<@Nullable Object>(List.of(tag)));
    operation.put("operationId", id);
    var parameters = parameters(verb);
    if (!parameters.isEmpty()) {
      operation.put("parameters", parameters);
    }
    var body = body(action);
    if (body != null) {
      operation.put("requestBody", body);
    }
    operation.put("responses", responses(action));
    operation.put("x-kubernetes-action", verb);
    operation.put(
        "x-kubernetes-group-version-kind",
        SchemaBuilder.groupVersionKind(action.apiVersion(), action.kind()));
    return operation;
  }

  private static List<@Nullable Object> parameters(String verb) {
    var parameters = new ArrayList<@Nullable Object>();
    switch (verb) {
      case "post", "put" -> add(parameters, "dryRun", "fieldManager", "fieldValidation");
      case "patch" -> add(parameters, "dryRun", "fieldManager", "fieldValidation", "force");
      case "delete" ->
          add(
              parameters,
              "dryRun",
              "gracePeriodSeconds",
              "ignoreStoreReadErrorWithClusterBreakingPotential",
              "orphanDependents",
              "propagationPolicy");
      case "list" ->
          add(
              parameters,
              "allowWatchBookmarks",
              "continue",
              "fieldSelector",
              "labelSelector",
              "limit",
              "resourceVersion",
              "resourceVersionMatch",
              "sendInitialEvents",
              "timeoutSeconds",
              "watch");
      case "deletecollection" ->
          add(
              parameters,
              "continue",
              "dryRun",
              "fieldSelector",
              "gracePeriodSeconds",
              "ignoreStoreReadErrorWithClusterBreakingPotential",
              "labelSelector",
              "limit",
              "orphanDependents",
              "propagationPolicy",
              "resourceVersion",
              "resourceVersionMatch",
              "sendInitialEvents",
              "timeoutSeconds");
      default -> {}
    }
    return parameters;
  }

  private static void add(List<@Nullable Object> parameters, String... names) {
    for (var name : names) {
      parameters.add(parameter(name, "query"));
    }
  }

  private static Tree parameter(String name, String in) {
    var type =
        switch (name) {
          case "force",
              "orphanDependents",
              "allowWatchBookmarks",
              "sendInitialEvents",
              "watch",
              "ignoreStoreReadErrorWithClusterBreakingPotential" ->
              "boolean";
          case "limit", "timeoutSeconds", "gracePeriodSeconds" -> "integer";
          default -> "string";
        };
    var parameter = Tree.of("name", name, "in", in);
    if (in.equals("path")) {
      parameter.put("required", true);
    }
    return parameter.put("schema", Tree.of("type", type, "uniqueItems", true));
  }

  private @Nullable Tree body(Action action) {
    return switch (action.name()) {
      case "post", "put" ->
          action.schema().isEmpty() ? null : content(bodyTypes(action), action.schema(), true);
      case "patch" -> {
        schemas.known(SchemaNames.PATCH, Tree.of("type", "object"));
        yield content(action.custom() ? CUSTOM_PATCH_TYPES : PATCH_TYPES, SchemaNames.PATCH, true);
      }
      case "delete", "deletecollection" ->
          content(bodyTypes(action), schemas.add("v1", "DeleteOptions"), false);
      default -> null;
    };
  }

  /// As in Kubernetes, built-in kinds do not say in which forms they are taken.
  private static List<String> bodyTypes(Action action) {
    return action.custom() ? BODY_TYPES : ANY_TYPE;
  }

  private Tree responses(Action action) {
    var name = action.name();
    boolean status = name.equals("delete") || name.equals("deletecollection");
    var schema = status ? schemas.add("v1", "Status") : answerSchema(action);
    var answer = Tree.of("description", "OK");
    if (!schema.isEmpty()) {
      var types = action.isList() && !action.custom() ? LIST_TYPES : BODY_TYPES;
      answer.put("content", content(types, schema, false).get("content"));
    }
    var responses = Tree.of("200", answer);
    if (name.equals("post") || name.equals("put") || name.equals("patch")) {
      responses.put("201", answer.copy().put("description", "Created"));
    }
    if (name.equals("post") || name.equals("delete")) {
      responses.put("202", answer.copy().put("description", "Accepted"));
    }
    return responses.put("401", Tree.of("description", "Unauthorized"));
  }

  private String answerSchema(Action action) {
    if (!action.isList() || action.schema().isEmpty()) {
      return action.schema();
    }
    return action.custom()
        ? action.schema() + "List"
        : schemas.add(action.apiVersion(), action.kind() + "List");
  }

  private static Tree content(List<String> mediaTypes, String schema, boolean required) {
    var content = new Tree();
    for (var mediaType : mediaTypes) {
      content.put(mediaType, Tree.of("schema", SchemaBuilder.ref(schema)));
    }
    var body = Tree.of("content", content);
    return required ? body.put("required", true) : body;
  }

  private Tree path(String path, boolean namespaced, boolean named) {
    return paths.computeIfAbsent(path, _ -> emptyPath(namespaced, named));
  }

  private static Tree emptyPath(boolean namespaced, boolean named) {
    var parameters = new ArrayList<@Nullable Object>();
    if (named) {
      parameters.add(parameter("name", "path"));
    }
    if (namespaced) {
      parameters.add(parameter("namespace", "path"));
    }
    parameters.add(parameter("pretty", "query"));
    return Tree.of("parameters", parameters);
  }

  private static void put(Tree path, String method, Tree operation) {
    path.put(method, operation);
  }
}
