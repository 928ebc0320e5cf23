package io.berth.schema;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.Tree;
import io.berth.codec.Document;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns a request body into the object a Kubernetes API server would store.
///
/// The kind is the one the URL asks for; a body that names none is taken for it, one that names
/// another is refused. All refusals are Kubernetes' own, with code 400.
public final class Decoder {

  private static final int SUMMARY_BYTES = 30;

  private static final Map<String, Set<String>> OUTDATED =
      Map.of(
          "apps/v1beta1", Set.of("ControllerRevision", "Deployment", "StatefulSet"),
          "apps/v1beta2",
              Set.of("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"),
          "extensions/v1beta1",
              Set.of("DaemonSet", "Deployment", "Ingress", "NetworkPolicy", "ReplicaSet"));

  private final Types types;

  public Decoder(Types types) {
    this.types = types;
  }

  /// Decodes a JSON body that must be a `kind` of `apiVersion`.
  public Decoded json(byte[] body, String apiVersion, String kind, FieldValidation validation) {
    Document document;
    try {
      document = Json.readReporting(body);
    } catch (SyntaxException e) {
      throw unrecognized(kind, body, "json parse error: " + e.getMessage());
    }
    return decode(body, document, new Types.Kind(apiVersion, kind), validation);
  }

  /// Decodes a YAML body that must be a `kind` of `apiVersion`.
  public Decoded yaml(byte[] body, String apiVersion, String kind, FieldValidation validation) {
    Document document;
    try {
      document = Yaml.readReporting(new String(body, StandardCharsets.UTF_8));
    } catch (SyntaxException e) {
      var problem = "yaml: line %d: %s".formatted(e.line(), e.getMessage());
      throw unrecognized(kind, body, problem, "");
    }
    return decode(body, document, new Types.Kind(apiVersion, kind), validation);
  }

  /// Decodes a tree that must be a `kind` of `apiVersion`, for instance a patched object.
  public Decoded tree(Tree tree, String apiVersion, String kind, FieldValidation validation) {
    var document = new Document(tree, Map.of(), List.of());
    return decode(new byte[0], document, new Types.Kind(apiVersion, kind), validation);
  }

  private Decoded decode(
      byte[] body, Document document, Types.Kind expected, FieldValidation validation) {
    var raw = document.value() == null ? new Tree() : document.value();
    if (!(raw instanceof Tree tree)) {
      throw unrecognized(expected.kind(), body, "json parse error: " + notAnObject(raw));
    }
    var given = given(tree, expected, body);
    var complaints = new ArrayList<String>();
    Tree canonical;
    try {
      checkNotOutdated(given, expected);
      canonical = Canonical.of(typeOf(given), tree, document, complaints);
      checkSame(given, expected);
    } catch (DecodingException e) {
      throw cannotBeHandled(given, expected, String.valueOf(e.getMessage()));
    }
    canonical = withKind(canonical, expected);
    Canonical.keepReset(tree, canonical);
    if (validation == FieldValidation.STRICT) {
      var strict = strictError(document.complaints(), complaints);
      if (strict != null) {
        throw cannotBeHandled(given, expected, strict);
      }
    }
    if (validation != FieldValidation.WARN) {
      return new Decoded(canonical, List.of());
    }
    var warnings = new ArrayList<>(document.complaints());
    warnings.addAll(complaints);
    return new Decoded(canonical, List.copyOf(warnings));
  }

  /// Kubernetes' text for fields that strict decoding refuses.
  public static String strictError(List<String> complaints) {
    return "strict decoding error: " + String.join(", ", complaints);
  }

  /// Kubernetes' text for fields that strict decoding refuses, or `null` when there are none.
  static @Nullable String strictError(List<String> yaml, List<String> fields) {
    if (yaml.isEmpty() && fields.isEmpty()) {
      return null;
    }
    var parts = new ArrayList<String>();
    if (!yaml.isEmpty()) {
      parts.add("yaml: unmarshal errors:\n  " + String.join("\n  ", yaml));
    }
    parts.addAll(fields);
    return strictError(parts);
  }

  /// The kind the body names; what it leaves out is taken from the one expected.
  private static Types.Kind given(Tree tree, Types.Kind expected, byte[] body) {
    var kind = typeMeta(tree, "kind", expected, body);
    var apiVersion = typeMeta(tree, "apiVersion", expected, body);
    if (apiVersion.chars().filter(c -> c == '/').count() > 1) {
      throw unrecognized(
          expected.kind(), body, "unexpected GroupVersion string: " + apiVersion, "");
    }
    if (apiVersion.endsWith("/")) {
      throw cannotBeHandled(
          new Types.Kind(apiVersion, kind.isEmpty() ? expected.kind() : kind),
          expected,
          "Object 'apiVersion' is missing in '%s'"
              .formatted(new String(body, StandardCharsets.UTF_8)));
    }
    // As in Go, the group before the slash may be empty.
    var version = apiVersion.startsWith("/") ? apiVersion.substring(1) : apiVersion;
    return new Types.Kind(
        version.isEmpty() ? expected.apiVersion() : version,
        kind.isEmpty() ? expected.kind() : kind);
  }

  private static String typeMeta(Tree tree, String name, Types.Kind expected, byte[] body) {
    var value = tree.get(name);
    if (value == null || value instanceof String) {
      return value == null ? "" : (String) value;
    }
    var path = new Path();
    path.enter(name);
    throw unrecognized(
        expected.kind(), body, "json parse error: " + path.mismatch("", value, "string"));
  }

  /// Old versions that Kubernetes still knows, and serves no more.
  private static void checkNotOutdated(Types.Kind given, Types.Kind expected) {
    if (given.kind().equals(expected.kind())
        && OUTDATED.getOrDefault(given.apiVersion(), Set.of()).contains(given.kind())) {
      throw otherVersion(given, expected);
    }
  }

  private static ApiException otherVersion(Types.Kind given, Types.Kind expected) {
    return ApiException.badRequest(
        "the API version in the data (%s) does not match the expected API version (%s)"
            .formatted(given.apiVersion(), expected.apiVersion()));
  }

  private Type typeOf(Types.Kind given) {
    return types
        .find(given.apiVersion(), given.kind())
        .orElseThrow(() -> new DecodingException(notRegistered(given)));
  }

  private static String notRegistered(Types.Kind given) {
    return "no kind %s is registered for version %s in scheme \"%s\""
        .formatted(
            FieldError.quoted(given.kind()),
            FieldError.quoted(given.apiVersion()),
            "pkg/runtime/scheme.go:111");
  }

  private void checkSame(Types.Kind given, Types.Kind expected) {
    if (!given.kind().equals(expected.kind())) {
      var from = types.type(given.apiVersion(), given.kind());
      var to = types.type(expected.apiVersion(), expected.kind());
      throw new DecodingException(
          "converting (%s) to (%s.%s): unknown conversion"
              .formatted(from.goName(), to.group(), to.simpleName()));
    }
    if (!given.apiVersion().equals(expected.apiVersion())) {
      throw otherVersion(given, expected);
    }
  }

  private static Tree withKind(Tree canonical, Types.Kind kind) {
    if (canonical.has("kind") && canonical.has("apiVersion")) {
      return canonical.put("apiVersion", kind.apiVersion());
    }
    var named = Tree.of("kind", kind.kind(), "apiVersion", kind.apiVersion());
    canonical.fields().forEach(named::put);
    return named;
  }

  private static ApiException cannotBeHandled(
      Types.Kind given, Types.Kind expected, String problem) {
    var version = given.apiVersion().substring(given.apiVersion().indexOf('/') + 1);
    return ApiException.badRequest(
        "%s in version %s cannot be handled as a %s: %s"
            .formatted(given.kind(), FieldError.quoted(version), expected.kind(), problem));
  }

  /// The refusal of a body whose version and kind cannot be read.
  public static ApiException unrecognized(String kind, byte[] body, String problem) {
    return unrecognized(kind, body, problem, "couldn't get version/kind; ");
  }

  /// The same for other reasons, after `prefix`.
  public static ApiException unrecognized(String kind, byte[] body, String problem, String prefix) {
    return ApiException.badRequest(
        "the object provided is unrecognized (must be of type %s): %s%s (%s)"
            .formatted(kind, prefix, problem, summary(body)));
  }

  /// The beginning of a body: as text when it looks like JSON, else its bytes.
  private static String summary(byte[] body) {
    if (body.length == 0) {
      return "<empty>";
    }
    int length = Math.min(body.length, SUMMARY_BYTES);
    var start =
        body[0] == '{'
            ? new String(body, 0, length, StandardCharsets.UTF_8)
            : HexFormat.of().formatHex(body, 0, length);
    return start + (body.length > SUMMARY_BYTES ? " ..." : "");
  }

  /// What Go says of a value that should be an object.
  public static String notAnObject(Object raw) {
    var what =
        switch (raw) {
          case List<?> _ -> "array";
          case String _ -> "string";
          case Boolean _ -> "bool";
          default -> "number";
        };
    return "json: cannot unmarshal "
        + what
        + " into Go value of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\";"
        + " Kind string \"json:\\\"kind,omitempty\\\"\" }";
  }
}
