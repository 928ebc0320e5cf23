package io.berth.kinds.core;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// JSON in a field that holds text or bytes, and what Go's decoder finds wrong with it.
///
/// `value` is what was read; `complaint` is empty when Go would take it.
record EmbeddedJson(@Nullable Object value, String complaint) {

  static EmbeddedJson object(byte[] json) {
    return read(json, Tree.class, "map[string]interface {}");
  }

  /// A list of what Go calls `element`.
  static EmbeddedJson list(byte[] json, String element) {
    return read(json, List.class, "[]" + element);
  }

  private static EmbeddedJson read(byte[] json, Class<?> wanted, String goType) {
    try {
      var value = Json.readReporting(json).value();
      return new EmbeddedJson(
          value,
          value == null || wanted.isInstance(value)
              ? ""
              : "json: cannot unmarshal %s into Go value of type %s"
                  .formatted(kindOf(value), goType));
    } catch (SyntaxException e) {
      return new EmbeddedJson(null, String.valueOf(e.getMessage()));
    }
  }

  private static String kindOf(Object value) {
    return switch (value) {
      case Tree _ -> "object";
      case List<?> _ -> "array";
      case String _ -> "string";
      case Boolean _ -> "bool";
      default -> "number";
    };
  }
}
