package io.berth.console;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A request to the API that a person has seen before it is sent.
///
/// @param body what is sent with it, `null` for nothing
public record ApiRequest(String method, String path, @Nullable Object body, boolean dryRun) {

  private static final Set<String> METHODS = Set.of("POST", "PATCH", "DELETE");

  /// Refuses what is no change of an object of the API.
  public static ApiRequest read(Tree tree) {
    var method = tree.textOrEmpty("method");
    var path = tree.textOrEmpty("path");
    if (!METHODS.contains(method)) {
      throw ApiException.badRequest(
          "method: \"%s\" is none of POST, PATCH, DELETE".formatted(method));
    }
    boolean resource = path.startsWith("/api/v1/") || path.startsWith("/apis/");
    if (!resource || path.contains("?") || path.contains("#") || path.contains("/../")) {
      throw ApiException.badRequest(
          "path: \"%s\" names no object; use one such as /api/v1/nodes/NAME".formatted(path));
    }
    return new ApiRequest(method, path, tree.get("body"), tree.flag("dryRun"));
  }

  /// How the body of this method is written.
  public String contentType() {
    return method.equals("PATCH") ? "application/json-patch+json" : "application/json";
  }
}
