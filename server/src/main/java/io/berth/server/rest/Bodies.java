package io.berth.server.rest;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.schema.Decoded;
import io.berth.schema.Decoder;
import io.berth.schema.FieldValidation;
import io.berth.server.http.Call;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Request bodies: which format, and which object.
final class Bodies {

  private static final String ACCEPTED =
      "the body of the request was in an unknown format - accepted media types include:"
          + " application/json, application/yaml, application/vnd.kubernetes.protobuf";

  private final Decoder decoder;

  Bodies(Decoder decoder) {
    this.decoder = decoder;
  }

  /// The object in the body, which must be a `kind` of `apiVersion`.
  Decoded object(Call call, String apiVersion, String kind, FieldValidation validation) {
    var type = mediaType(call);
    refuseCompressed(call);
    var bytes = call.body().read();
    return switch (type) {
      case "", "application/json" -> decoder.json(bytes, apiVersion, kind, validation);
      case "application/yaml" -> decoder.yaml(bytes, apiVersion, kind, validation);
      default -> throw new ApiException(415, "UnsupportedMediaType", ACCEPTED);
    };
  }

  /// The options in the body of a deletion, or `null` when it has none.
  @Nullable Tree deleteOptions(Call call) {
    var bytes = call.body().read();
    if (bytes.length == 0) {
      return null;
    }
    return switch (mediaType(call)) {
      case "", "application/json" ->
          decoder.json(bytes, "v1", "DeleteOptions", FieldValidation.IGNORE).tree();
      case "application/yaml" ->
          decoder.yaml(bytes, "v1", "DeleteOptions", FieldValidation.IGNORE).tree();
      default -> throw new ApiException(415, "UnsupportedMediaType", ACCEPTED);
    };
  }

  static String mediaType(Call call) {
    var header = call.header("content-type");
    int semicolon = header.indexOf(';');
    return (semicolon < 0 ? header : header.substring(0, semicolon))
        .strip()
        .toLowerCase(Locale.ROOT);
  }

  private static void refuseCompressed(Call call) {
    var encoding = call.header("content-encoding");
    if (!encoding.isEmpty() && !encoding.equals("identity")) {
      throw new ApiException(
          415, "UnsupportedMediaType", "compressed request bodies are not accepted");
    }
  }
}
