package io.berth.server.request;

import java.util.List;
import java.util.Set;

/// What a request is about, read from method and path alone, before anything is looked up.
///
/// `isResource` tells `/api/v1/pods` from `/version`; the other fields are empty for the latter.
public record RequestInfo(
    boolean isResource,
    String path,
    String verb,
    String group,
    String version,
    String namespace,
    String resource,
    String subresource,
    String name,
    List<String> rest) {

  private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

  public static RequestInfo parse(String method, String path, Query query) {
    var parts = parts(path);
    if (parts.size() < 3 || !(parts.getFirst().equals("api") || parts.getFirst().equals("apis"))) {
      return nonResource(method, path);
    }
    boolean core = parts.getFirst().equals("api");
    if (!core && parts.size() < 4) {
      return nonResource(method, path);
    }
    var group = core ? "" : parts.get(1);
    var version = core ? parts.get(1) : parts.get(2);
    return resource(method, path, query, group, version, parts.subList(core ? 2 : 3, parts.size()));
  }

  private static RequestInfo resource(
      String method, String path, Query query, String group, String version, List<String> address) {
    var parts = address;
    boolean oldWatch = parts.getFirst().equals("watch") && parts.size() > 1;
    if (oldWatch) {
      parts = parts.subList(1, parts.size());
    }
    var namespace = "";
    if (parts.getFirst().equals("namespaces") && parts.size() > 1) {
      namespace = parts.get(1);
      if (parts.size() > 2 && !NAMESPACE_SUBRESOURCES.contains(parts.get(2))) {
        parts = parts.subList(2, parts.size());
      }
    }
    var name = parts.size() > 1 ? parts.get(1) : "";
    return new RequestInfo(
        true,
        path,
        oldWatch ? "watch" : verb(method, name, query),
        group,
        version,
        namespace,
        parts.getFirst(),
        parts.size() > 2 ? parts.get(2) : "",
        name,
        parts.size() > 3 ? List.copyOf(parts.subList(3, parts.size())) : List.of());
  }

  private static String verb(String method, String name, Query query) {
    return switch (method) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> name.isEmpty() ? "deletecollection" : "delete";
      case "GET", "HEAD" -> {
        if (!name.isEmpty()) {
          yield "get";
        }
        yield query.flag("watch") ? "watch" : "list";
      }
      default -> "";
    };
  }

  private static RequestInfo nonResource(String method, String path) {
    return new RequestInfo(
        false, path, method.toLowerCase(java.util.Locale.ROOT), "", "", "", "", "", "", List.of());
  }

  /// Path segments; slashes at either end add none, but those in between may have nothing between
  /// them.
  public static List<String> parts(String path) {
    int from = 0;
    int to = path.length();
    while (from < to && path.charAt(from) == '/') {
      from++;
    }
    while (to > from && path.charAt(to - 1) == '/') {
      to--;
    }
    return from == to ? List.of() : List.of(path.substring(from, to).split("/", -1));
  }
}
