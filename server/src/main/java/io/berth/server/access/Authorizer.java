package io.berth.server.access;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.server.request.FieldSelector;
import java.util.List;

/// Answers whether a user may do something.
public interface Authorizer {

  Decision decide(Request request);

  /// All rules a user has in a namespace, those of the cluster included.
  default List<Rule> rules(User user, String namespace) {
    return List.of();
  }

  /// Refuses with Kubernetes' 403 when the answer is no.
  default void check(Request request) {
    var decision = decide(request);
    if (!decision.allowed()) {
      throw forbidden(request, decision.reason());
    }
  }

  /// A question, about a resource or a path that is none; `selector` is that of a list or watch.
  ///
  /// `/api/v1//pods` is about a resource, too, although that has no name.
  record Request(
      boolean isResource,
      User user,
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name,
      String path,
      FieldSelector selector) {

    public Request(
        User user,
        String verb,
        String group,
        String version,
        String resource,
        String subresource,
        String namespace,
        String name,
        String path) {
      this(
          true,
          user,
          verb,
          group,
          version,
          resource,
          subresource,
          namespace,
          name,
          path,
          FieldSelector.ALL);
    }

    public static Request ofPath(User user, String verb, String path) {
      return new Request(false, user, verb, "", "", "", "", "", "", path, FieldSelector.ALL);
    }

    /// `pods` or `pods/status`.
    public String qualifiedResource() {
      return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
  }

  /// The answer; `reason` may say why, also when it is yes.
  record Decision(boolean allowed, String reason) {

    public static final Decision ALLOWED = new Decision(true, "");
    public static final Decision NO_OPINION = new Decision(false, "");
  }

  static ApiException forbidden(Request request, String reason) {
    var what = what(request) + (reason.isEmpty() ? "" : ": " + reason);
    if (!request.isResource()) {
      return new ApiException(403, "Forbidden", "forbidden: " + what, new Tree());
    }
    var qualified =
        request.group().isEmpty() ? request.resource() : request.resource() + "." + request.group();
    var details = new Tree();
    if (!request.name().isEmpty()) {
      details.put("name", request.name());
    }
    if (!request.group().isEmpty()) {
      details.put("group", request.group());
    }
    details.put("kind", request.resource());
    var message =
        request.name().isEmpty()
            ? "%s is forbidden: %s".formatted(qualified, what)
            : "%s \"%s\" is forbidden: %s".formatted(qualified, request.name(), what);
    return new ApiException(403, "Forbidden", message, details);
  }

  private static String what(Request request) {
    if (!request.isResource()) {
      return "User \"%s\" cannot %s path \"%s\""
          .formatted(request.user().name(), request.verb(), request.path());
    }
    var where =
        request.namespace().isEmpty()
            ? "at the cluster scope"
            : "in the namespace \"%s\"".formatted(request.namespace());
    return "User \"%s\" cannot %s resource \"%s\" in API group \"%s\" %s"
        .formatted(
            request.user().name(),
            request.verb(),
            request.qualifiedResource(),
            request.group(),
            where);
  }
}
