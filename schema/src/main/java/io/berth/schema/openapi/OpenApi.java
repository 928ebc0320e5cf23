package io.berth.schema.openapi;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.Types;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The published documents: `/openapi/v3`, `/openapi/v3/apis/apps/v1`, `/openapi/v2`.
///
/// Documents are made when they are first asked for and kept until what is served changes. Their
/// tags come from what they are made of, so that the index needs none of them. Safe for use by many
/// threads; two that ask at once may both make a document, which is the same.
public final class OpenApi {

  /// Raise it when documents are built otherwise than before: clients keep them by their tag.
  private static final int FORM = 2;

  private final Types types;
  private final String version;
  private final byte[] edition;
  private final Map<String, Document> documents = new ConcurrentHashMap<>();
  private volatile Map<String, List<Endpoint>> served = Map.of();
  private volatile Foreign foreign = new Foreign(Map.of(), List.of());

  /// What other servers publish: places of v3 documents by path, and v2 documents.
  private record Foreign(Map<String, String> places, List<Tree> swaggers) {}

  /// A document and the entity tag to send with it, without quotes.
  public record Document(byte[] bytes, String tag) {}

  /// `version` is the server's, such as `v1.37.1`.
  public OpenApi(Types types, String version) {
    this.types = types;
    this.version = version;
    // Whatever changes documents of the same endpoints belongs in here.
    this.edition =
        (version + " " + FORM + types.fingerprint() + Descriptions.load().all().hashCode())
            .getBytes(StandardCharsets.UTF_8);
  }

  /// Replaces what is served, by group version (`v1`, `apps/v1`). Documents of group versions that
  /// are the same as before are kept.
  public void serve(Map<String, List<Endpoint>> groupVersions) {
    var before = served;
    served = new TreeMap<>(groupVersions);
    documents
        .keySet()
        .removeIf(key ->
            !key.startsWith("v3 ")
                || !groupVersions
                    .getOrDefault(key.substring(3), List.of())
                    .equals(before.getOrDefault(key.substring(3), List.of())));
  }

  /// Replaces what other servers publish, which stands beside what is served here.
  public void include(Map<String, String> places, List<Tree> swaggers) {
    foreign = new Foreign(new TreeMap<>(places), List.copyOf(swaggers));
    documents.keySet().removeIf(key -> !key.startsWith("v3 "));
  }

  /// `/openapi/v3`: where the document of each group version is, with its hash.
  public Document index() {
    var current = served;
    var others = foreign;
    return document(
        "index",
        others.places.isEmpty() ? current : List.of(current, others.places),
        () -> {
          var paths = new Tree();
          current.forEach((groupVersion, endpoints) -> {
            var path = path(groupVersion);
            var url = "/openapi/v3/%s?hash=%s".formatted(path, tag(endpoints));
            paths.put(path, Tree.of("serverRelativeURL", url));
          });
          others.places.forEach((path, url) -> paths.put(path, Tree.of("serverRelativeURL", url)));
          return Json.write(Tree.of("paths", paths));
        });
  }

  /// The v3 document at `api/v1` or `apis/apps/v1`, if that is served.
  public Optional<Document> find(String path) {
    var groupVersion = path.substring(path.indexOf('/') + 1);
    var endpoints = served.get(groupVersion);
    if (endpoints == null || !path(groupVersion).equals(path)) {
      return Optional.empty();
    }
    return Optional.of(
        document(
            "v3 " + groupVersion,
            endpoints,
            () -> Json.write(documentOf(List.of(endpoints), false))));
  }

  private static String path(String groupVersion) {
    return (groupVersion.contains("/") ? "apis/" : "api/") + groupVersion;
  }

  /// `/openapi/v2` as JSON.
  public Document swaggerJson() {
    return document("v2 json", swaggerParts(), () -> Json.write(swagger()));
  }

  /// `/openapi/v2` as `application/com.github.proto-openapi.spec.v2@v1.0+protobuf`.
  public Document swaggerProtobuf() {
    return document("v2 protobuf", swaggerParts(), () -> SwaggerProtobuf.encode(swagger()));
  }

  private Object swaggerParts() {
    var others = foreign.swaggers;
    return others.isEmpty() ? served : List.of(served, others);
  }

  /// Definitions of one name are one definition: what is shared is Kubernetes' own.
  private Tree swagger() {
    var whole = Swagger.of(documentOf(List.copyOf(served.values()), true));
    for (var other : foreign.swaggers) {
      for (var part : List.of("paths", "definitions")) {
        other.treeOrEmpty(part).fields().forEach(whole.child(part)::putIfAbsent);
      }
    }
    return whole;
  }

  private Document document(String key, Object madeOf, Supplier<byte[]> bytes) {
    var known = documents.get(key);
    if (known == null) {
      known = new Document(bytes.get(), tag(madeOf));
      documents.put(key, known);
    }
    return known;
  }

  private Tree documentOf(List<List<Endpoint>> groupVersions, boolean swagger) {
    var schemas = new SchemaBuilder(types);
    var paths = new PathBuilder(schemas);
    for (var endpoints : groupVersions) {
      for (var endpoint : endpoints) {
        paths.add(endpoint);
        if (endpoint.schema() != null) {
          CustomSchemas.add(schemas, endpoint.resource(), endpoint.schema(), swagger);
        }
      }
    }
    var components = Tree.of("schemas", Tree.ofMap(schemas.build()));
    return Tree.of(
        "openapi",
        "3.0.0",
        "info",
        Tree.of("title", "Kubernetes", "version", version),
        "paths",
        Tree.ofMap(paths.build()),
        "components",
        components);
  }

  private String tag(Object madeOf) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      digest.update(edition);
      digest.update(madeOf.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest()).toUpperCase(Locale.ROOT);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
