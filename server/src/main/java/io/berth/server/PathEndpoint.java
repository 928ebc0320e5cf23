package io.berth.server;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.server.discovery.Discovery;
import io.berth.server.discovery.OpenApiPaths;
import io.berth.server.http.Answer;
import io.berth.server.http.Call;
import io.berth.server.identity.Tokens;
import io.berth.server.registry.Catalog;
import io.berth.server.request.Action;
import io.berth.server.request.RequestInfo;
import io.berth.server.rest.Refusals;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Everything that is no resource: version, health, discovery, keys.
final class PathEndpoint {

  private static final Set<String> REVIEWS =
      Set.of("authentication.k8s.io", "authorization.k8s.io");

  private static final Set<String> INDEX =
      Set.of(
          "/.well-known/openid-configuration",
          "/api",
          "/apis",
          "/healthz",
          "/livez",
          "/metrics",
          "/metrics/slis",
          "/openapi/v2",
          "/openapi/v3",
          "/openid/v1/jwks",
          "/readyz",
          "/version");

  private final Catalog catalog;
  private final Discovery discovery;
  private final OpenApiPaths openApi;
  private final Health health;
  private final Tokens tokens;
  private final Metrics metrics;
  private final SnapshotEndpoint snapshots;
  private final Map<String, Supplier<Tree>> documents;

  PathEndpoint(
      Catalog catalog,
      Discovery discovery,
      OpenApiPaths openApi,
      Health health,
      Tokens tokens,
      Metrics metrics,
      SnapshotEndpoint snapshots,
      Map<String, Supplier<Tree>> documents) {
    this.snapshots = snapshots;
    this.documents = documents;
    this.metrics = metrics;
    this.catalog = catalog;
    this.discovery = discovery;
    this.openApi = openApi;
    this.health = health;
    this.tokens = tokens;
  }

  /// Whether anything is served in this group and version. As in Kubernetes, a group without
  /// built-in kinds has no answer of its own for what it does not serve.
  boolean knows(RequestInfo info) {
    var group = info.group();
    return catalog.knows(group, info.version())
        || catalog.findCustom(info).isPresent()
        || (info.version().equals("v1") && REVIEWS.contains(group));
  }

  Answer answer(Call call, RequestInfo info) {
    var path = call.path();
    var clean =
        path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (clean.startsWith("/healthz") || clean.startsWith("/livez") || clean.startsWith("/readyz")) {
      return health.answer(clean, call.query());
    }
    boolean reads = info.action() == Action.GET;
    if (!reads && isRouted(clean)) {
      return notAllowed();
    }
    var tree = tree(clean);
    if (tree != null) {
      return Answer.of(200, "application/json", Json.write(tree));
    }
    if (clean.equals("/metrics")) {
      return metrics.answer(call.header("Accept"));
    }
    if (clean.equals(SnapshotEndpoint.PATH) && reads) {
      return snapshots.answer();
    }
    var own = documents.get(clean);
    if (own != null && reads) {
      return Answer.of(200, "application/json", Json.write(own.get()));
    }
    if (clean.equals("/metrics/slis")) {
      return health.metrics();
    }
    var document =
        clean.startsWith("/openapi") ? openApi.find(call, clean) : discovery.find(call, clean);
    return document == null ? notFound(clean) : document;
  }

  /// Whether the path belongs to a router that knows methods. As in Kubernetes, other documents are
  /// given whatever the method.
  private boolean isRouted(String path) {
    var parts = RequestInfo.parts(path);
    return switch (parts.isEmpty() ? "" : parts.getFirst()) {
      case "version" -> parts.size() == 1;
      case "api" -> parts.size() == 1 || (parts.size() == 2 && catalog.knows("", parts.get(1)));
      case "apis" ->
          parts.size() == 2
              ? parts.get(1).equals("apiregistration.k8s.io")
              : parts.size() == 3 && isBuiltIn(parts.get(1), parts.get(2));
      default -> false;
    };
  }

  private boolean isBuiltIn(String group, String version) {
    return (catalog.knowsGroup(group) && catalog.knows(group, version))
        || (version.equals("v1") && REVIEWS.contains(group));
  }

  /// The answer to a request for a resource of a group version that is not served.
  Answer nothingAt(RequestInfo info) {
    return info.path().startsWith("/api/") || isKnown(info.group())
        ? Refusals.answer(noSuchResource())
        : pageNotFound();
  }

  private boolean isKnown(String group) {
    return catalog.knowsGroup(group) || REVIEWS.contains(group);
  }

  private @Nullable Tree tree(String path) {
    return switch (path) {
      case "/", "" -> Tree.of("paths", index());
      case "/version" -> VersionInfo.tree();
      case "/openid/v1/jwks" -> tokens.keySet();
      case "/.well-known/openid-configuration" ->
          Tree.of(
              "issuer", Tokens.ISSUER,
              "jwks_uri", Tokens.ISSUER + "/openid/v1/jwks",
              "response_types_supported", List.of("id_token"),
              "subject_types_supported", List.of("public"),
              "id_token_signing_alg_values_supported", List.of("RS256"));
      default -> null;
    };
  }

  private List<String> index() {
    var paths = new TreeSet<>(INDEX);
    var served = new TreeSet<>(discovery.all().keySet());
    served.addAll(discovery.foreign());
    for (var groupVersion : served) {
      int slash = groupVersion.indexOf('/');
      if (slash < 0) {
        paths.add("/api/" + groupVersion);
      } else {
        paths.add("/apis/" + groupVersion.substring(0, slash));
        paths.add("/apis/" + groupVersion);
      }
    }
    return List.copyOf(paths);
  }

  private static Answer notAllowed() {
    return Refusals.answer(
        new ApiException(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
            new Tree()));
  }

  /// A group that is served knows which of its versions are not.
  private Answer notFound(String path) {
    var parts = path.substring(1).split("/", -1);
    boolean version =
        (parts.length == 2 && parts[0].equals("api"))
            || (parts.length == 3 && parts[0].equals("apis") && isKnown(parts[1]));
    return version ? Refusals.answer(noSuchResource()) : pageNotFound();
  }

  private static ApiException noSuchResource() {
    return new ApiException(
        404, "NotFound", "the server could not find the requested resource", new Tree());
  }

  static Answer pageNotFound() {
    var answer =
        Answer.of(
            404,
            "text/plain; charset=utf-8",
            "404 page not found\n".getBytes(StandardCharsets.UTF_8));
    answer.headers().add(Map.entry("X-Content-Type-Options", "nosniff"));
    return answer;
  }
}
