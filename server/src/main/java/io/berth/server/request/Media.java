package io.berth.server.request;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// In which form the client wants its answer: an encoding, and perhaps a transformation.
public record Media(Encoding encoding, As as, String version, boolean pretty) {

  public static final Media JSON = new Media(Encoding.JSON, As.OBJECT, "v1", false);

  /// How bytes are made.
  public enum Encoding {
    JSON("application/json"),
    YAML("application/yaml"),
    PROTOBUF("application/vnd.kubernetes.protobuf");

    private final String type;

    Encoding(String type) {
      this.type = type;
    }

    public String type() {
      return type;
    }
  }

  /// What of an object is shown.
  public enum As {
    OBJECT,
    TABLE,
    PARTIAL,
    PARTIAL_LIST
  }

  public Media withEncoding(Encoding other) {
    return new Media(other, as, version, pretty);
  }

  private static final String TYPES =
      "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  private static final String STREAMS =
      ", application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

  /// Chooses what `Accept` asks for first and the server has.
  ///
  /// `collection` says that the path is a list, which may be watched; its 406 names more types.
  public static Media negotiate(String accept, boolean collection) {
    return negotiate(accept, collection, true);
  }

  /// The same for what is never stored, and has no rows.
  public static Media negotiateWithoutTables(String accept) {
    return negotiate(accept, false, false);
  }

  private static Media negotiate(String accept, boolean collection, boolean tables) {
    var header = accept.isBlank() ? "*/*" : accept;
    checkAnyProduced(header, collection);
    for (var clause : clauses(header)) {
      for (var encoding : Encoding.values()) {
        if (clause.matches(encoding)) {
          var media = clause.media(encoding);
          if (media != null && (tables || media.as() != As.TABLE)) {
            return media;
          }
        }
      }
    }
    throw new ApiException(
        406, "NotAcceptable", "only the following media types are accepted: " + TYPES);
  }

  /// The router in front knows whole types only: `application/*` is nothing to it.
  private static void checkAnyProduced(String header, boolean collection) {
    for (var part : header.split(",", -1)) {
      var type = part.split(";", -1)[0].strip();
      if (type.equals("*/*")) {
        return;
      }
      for (var encoding : Encoding.values()) {
        if (type.equals(encoding.type())) {
          return;
        }
      }
    }
    throw new ApiException(
        406,
        "NotAcceptable",
        "406: Not Acceptable\n\nAvailable representations: " + TYPES + (collection ? STREAMS : ""),
        new Tree());
  }

  private static List<Clause> clauses(String header) {
    var clauses = new ArrayList<Clause>();
    for (var part : header.split(",", -1)) {
      if (!part.isBlank()) {
        clauses.add(Clause.parse(part));
      }
    }
    clauses.sort(Comparator.comparingDouble((Clause clause) -> -clause.quality()));
    return clauses;
  }

  /// One media range of an `Accept` header.
  private record Clause(String type, Map<String, String> parameters, double quality) {

    static Clause parse(String text) {
      var parts = text.split(";", -1);
      var parameters = new HashMap<String, String>();
      double quality = 1;
      for (int i = 1; i < parts.length; i++) {
        int equals = parts[i].indexOf('=');
        if (equals < 0) {
          continue;
        }
        var name = parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT);
        var value = parts[i].substring(equals + 1).strip();
        if (name.equals("q")) {
          quality = quality(value);
        } else {
          parameters.put(name, value);
        }
      }
      return new Clause(parts[0].strip(), parameters, quality);
    }

    private static double quality(String value) {
      try {
        return Double.parseDouble(value);
      } catch (NumberFormatException e) {
        return 1;
      }
    }

    boolean matches(Encoding encoding) {
      return type.equals(encoding.type()) || type.equals("*/*") || type.equals("application/*");
    }

    /// What this clause asks for, or `null` when the server does not have it.
    @org.jspecify.annotations.Nullable
    Media media(Encoding encoding) {
      boolean pretty = parameters.getOrDefault("pretty", "").equals("1");
      if (parameters.containsKey("stream") && !parameters.get("stream").equals("watch")) {
        return null;
      }
      var as = parameters.get("as");
      if (as == null) {
        return new Media(encoding, As.OBJECT, "v1", pretty);
      }
      var version = parameters.getOrDefault("v", "");
      if (!parameters.getOrDefault("g", "").equals("meta.k8s.io")
          || !(version.equals("v1") || version.equals("v1beta1"))) {
        return null;
      }
      return switch (as) {
        case "Table" ->
            encoding == Encoding.PROTOBUF ? null : new Media(encoding, As.TABLE, version, pretty);
        case "PartialObjectMetadata" -> new Media(encoding, As.PARTIAL, version, pretty);
        case "PartialObjectMetadataList" -> new Media(encoding, As.PARTIAL_LIST, version, pretty);
        default -> null;
      };
    }
  }
}
