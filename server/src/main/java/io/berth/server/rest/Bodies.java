package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.schema.Decoded;
import io.berth.schema.Decoder;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;
import io.berth.schema.crd.CustomResource;
import io.berth.schema.protobuf.ProtobufDecoder;
import io.berth.server.http.Call;
import io.berth.server.registry.Context;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Request bodies: which format, and which object.
final class Bodies {

  private static final Set<String> TYPES =
      Set.of("", "application/json", "application/yaml", "application/vnd.kubernetes.protobuf");
  private static final String ACCEPTED_CUSTOM =
      "the body of the request was in an unknown format - accepted media types include:"
          + " application/json, application/yaml";
  private static final String ACCEPTED = ACCEPTED_CUSTOM + ", application/vnd.kubernetes.protobuf";

  /// Stands for a content type that makes no sense; nobody accepts it.
  private static final String UNREADABLE = "?";

  private final Decoder decoder = new Decoder(Types.kubernetes());
  private final ProtobufDecoder protobuf = new ProtobufDecoder(Types.kubernetes());

  /// Refuses a body of an unknown type, before anything else about the request is looked at.
  static void checkType(Exchange exchange) {
    boolean custom = exchange.served().isCustom();
    var type = mediaType(exchange.call());
    if (custom && type.endsWith("protobuf")) {
      throw new ApiException(415, "UnsupportedMediaType", ACCEPTED_CUSTOM);
    }
    if (!TYPES.contains(type)) {
      throw new ApiException(415, "UnsupportedMediaType", ACCEPTED);
    }
  }

  /// The object in the body, which must be a `kind` of `apiVersion`.
  Decoded object(Call call, String apiVersion, String kind, FieldValidation validation) {
    var type = mediaType(call);
    refuseCompressed(call);
    var bytes = call.body().read();
    return switch (type) {
      case "", "application/json" -> decoder.json(bytes, apiVersion, kind, validation);
      case "application/yaml" -> decoder.yaml(bytes, apiVersion, kind, validation);
      case "application/vnd.kubernetes.protobuf" -> protobuf.decode(bytes, apiVersion, kind);
      default -> throw new ApiException(415, "UnsupportedMediaType", ACCEPTED);
    };
  }

  /// The custom resource in the body.
  static Decoded custom(Call call, CustomResource objects, FieldValidation validation) {
    var type = mediaType(call);
    refuseCompressed(call);
    return switch (type) {
      case "", "application/json" -> objects.json(call.body().read(), validation);
      case "application/yaml" -> objects.yaml(call.body().read(), validation);
      default -> throw new ApiException(415, "UnsupportedMediaType", ACCEPTED_CUSTOM);
    };
  }

  /// An eviction; its old version means the same.
  Tree eviction(Exchange exchange, Context context) {
    var call = exchange.call();
    if (mediaType(call).equals("application/vnd.kubernetes.protobuf")) {
      return exchange.body(this, "policy/v1", "Eviction", context);
    }
    var body = call.body().read();
    var text = new String(body, StandardCharsets.UTF_8).replace("policy/v1beta1", "policy/v1");
    var decoded =
        decoder.json(
            text.getBytes(StandardCharsets.UTF_8),
            "policy/v1",
            "Eviction",
            context.options().fieldValidation());
    context.warnAll(decoded.warnings());
    return decoded.tree();
  }

  /// The options in the body of a deletion, or `null` when it has none.
  ///
  /// They may name the version of the resource or of the options themselves.
  @Nullable Tree deleteOptions(Exchange exchange) {
    var call = exchange.call();
    var bytes = call.body().read();
    if (bytes.length == 0) {
      return null;
    }
    if (!TYPES.contains(mediaType(call))) {
      throw new ApiException(415, "UnsupportedMediaType", ACCEPTED);
    }
    refuseOtherKind(bytes);
    try {
      return options(call, bytes);
    } catch (ApiException e) {
      throw ApiException.badRequest(plain(String.valueOf(e.getMessage())));
    }
  }

  private static void refuseOtherKind(byte[] bytes) {
    try {
      var tree = Json.readLenient(bytes);
      var kind = tree.textOrEmpty("kind");
      if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
        throw ApiException.badRequest(
            "no kind \"%s\" is registered for version \"%s\" in scheme \"pkg/runtime/scheme.go:111\""
                .formatted(kind, tree.textOrEmpty("apiVersion")));
      }
    } catch (SyntaxException e) {
      // The decoder says what is wrong.
    }
  }

  private Tree options(Call call, byte[] bytes) {
    return switch (mediaType(call)) {
      case "", "application/json" ->
          decoder.json(withoutVersion(bytes), "v1", "DeleteOptions", FieldValidation.IGNORE).tree();
      case "application/yaml" ->
          decoder.yaml(bytes, "v1", "DeleteOptions", FieldValidation.IGNORE).tree();
      default -> protobuf.decodeShared(bytes, "DeleteOptions").tree();
    };
  }

  /// Every group version knows `DeleteOptions`: which one the body names makes no difference.
  private static byte[] withoutVersion(byte[] bytes) {
    try {
      var tree = Json.readLenient(bytes);
      if (tree.textOrEmpty("kind").equals("DeleteOptions") && tree.has("apiVersion")) {
        tree.put("apiVersion", "v1");
        return Json.write(tree);
      }
      return bytes;
    } catch (SyntaxException e) {
      return bytes;
    }
  }

  /// As in Kubernetes, refusals of options do not say what they should have been.
  private static String plain(String message) {
    for (var lead :
        new String[] {"(must be of type DeleteOptions): ", "handled as a DeleteOptions: "}) {
      int at = message.indexOf(lead);
      if (at >= 0) {
        var rest = message.substring(at + lead.length());
        int body = rest.lastIndexOf(" (");
        return lead.startsWith("(must") && body > 0 ? rest.substring(0, body) : rest;
      }
    }
    return message;
  }

  static String mediaType(Call call) {
    var parts = call.header("content-type").split(";", -1);
    for (int i = 1; i < parts.length; i++) {
      if (!parts[i].isBlank() && parts[i].strip().indexOf('=') < 1) {
        return UNREADABLE;
      }
    }
    return parts[0].strip().toLowerCase(Locale.ROOT);
  }

  private static void refuseCompressed(Call call) {
    var encoding = call.header("content-encoding");
    if (!encoding.isEmpty() && !encoding.equals("identity")) {
      throw new ApiException(
          415, "UnsupportedMediaType", "compressed request bodies are not accepted");
    }
  }
}
