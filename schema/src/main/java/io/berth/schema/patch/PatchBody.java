package io.berth.schema.patch;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Document;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads patch bodies.
final class PatchBody {

  private PatchBody() {}

  static Document read(byte[] body) {
    try {
      return Json.readReporting(body);
    } catch (SyntaxException e) {
      throw ApiException.badRequest("invalid JSON patch");
    }
  }

  /// How Go's decoder calls a JSON value.
  static String kindOf(@Nullable Object value) {
    return switch (value) {
      case null -> "null";
      case Tree _ -> "object";
      case List<?> _ -> "array";
      case String _ -> "string";
      case Boolean _ -> "bool";
      default -> "number";
    };
  }
}
