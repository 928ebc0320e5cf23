package io.berth.server.request;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// What a request is about, read from method and path alone, before anything is looked up.
///
/// `isResource` tells `/api/v1/pods` from `/version`; the fields about resources are empty for the
/// latter. `verb` is what is authorized and `action` what is carried out: the same, or nothing.
/// `verbInPath` says that the path begins with a verb, as `/api/v1/watch/pods` does.
///
/// Mirrors: endpoints/request.RequestInfoFactory
public record RequestInfo(
    boolean isResource,
    String path,
    String verb,
    Action action,
    boolean verbInPath,
    String group,
    String version,
    String namespace,
    String resource,
    String subresource,
    String name,
    List<String> rest) {

  private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");
  private static final Set<String> VERBS_IN_PATHS = Set.of("watch", "proxy");

  public RequestInfo {
    if (action != Action.NONE && !action.verb().equals(verb)) {
      throw new IllegalArgumentException(
          "%s was authorized as \"%s\"; %s must not be done".formatted(path, verb, action));
    }
  }

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
    boolean verbInPath = parts.size() > 1 && VERBS_IN_PATHS.contains(parts.getFirst());
    if (verbInPath) {
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
    var asked = verbInPath ? inPath(address.getFirst(), method) : asked(method, name, query);
    boolean proxy = asked.verb().equals("proxy");
    return new RequestInfo(
        true,
        path,
        asked.verb(),
        asked.action(),
        verbInPath,
        group,
        version,
        namespace,
        parts.getFirst(),
        parts.size() > 2 && !proxy ? parts.get(2) : "",
        name,
        parts.size() > 3 ? List.copyOf(parts.subList(3, parts.size())) : List.of());
  }

  /// What a request is authorized as, and what it then has done.
  private record Asked(String verb, Action action) {

    static Asked to(Action action) {
      return new Asked(action.verb(), action);
    }
  }

  /// As in Kubernetes, a verb in the path is what is authorized, whatever the method; but only GET
  /// watches, and nothing is done by `proxy`.
  private static Asked inPath(String verb, String method) {
    boolean watches = verb.equals("watch") && method.equals("GET");
    return new Asked(verb, watches ? Action.WATCH : Action.NONE);
  }

  private static Asked asked(String method, String name, Query query) {
    return switch (method) {
      case "POST" -> Asked.to(Action.CREATE);
      case "PUT" -> Asked.to(Action.UPDATE);
      case "PATCH" -> Asked.to(Action.PATCH);
      case "DELETE" -> Asked.to(name.isEmpty() ? Action.DELETE_COLLECTION : Action.DELETE);
      case "GET" -> Asked.to(read(name, query));
      case "HEAD" -> new Asked(read(name, query).verb(), Action.NONE);
      default -> Asked.to(Action.NONE);
    };
  }

  private static Action read(String name, Query query) {
    if (!name.isEmpty()) {
      return Action.GET;
    }
    return query.flag("watch") ? Action.WATCH : Action.LIST;
  }

  private static RequestInfo nonResource(String method, String path) {
    return new RequestInfo(
        false,
        path,
        method.toLowerCase(Locale.ROOT),
        method.equals("GET") ? Action.GET : Action.NONE,
        false,
        "",
        "",
        "",
        "",
        "",
        "",
        List.of());
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
