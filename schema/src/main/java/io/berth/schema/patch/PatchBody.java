package io.berth.schema.patch;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Document;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads patch bodies and names fields they give twice.
final class PatchBody {

  private static final int MAX_COMPLAINTS = 100;

  private PatchBody() {}

  static Document read(byte[] body) {
    try {
      return Json.readReporting(body);
    } catch (SyntaxException e) {
      throw ApiException.badRequest("invalid JSON patch");
    }
  }

  /// `duplicate field "data.a"` for every field that stands there more than once.
  static List<String> duplicates(Document document) {
    if (document.duplicates().isEmpty()) {
      return List.of();
    }
    var complaints = new ArrayList<String>();
    find(document, document.value(), "", complaints);
    return complaints;
  }

  private static void find(
      Document document, @Nullable Object value, String path, List<String> complaints) {
    if (value instanceof Tree tree) {
      for (var entry : tree.fields().entrySet()) {
        var below = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
        if (document.repeats(tree, entry.getKey()) && complaints.size() < MAX_COMPLAINTS) {
          complaints.add("duplicate field \"" + below + "\"");
        }
        find(document, entry.getValue(), below, complaints);
      }
    } else if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        find(document, list.get(i), path + "[" + i + "]", complaints);
      }
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
