package io.berth.schema;

import io.berth.api.Tree;
import io.berth.codec.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names the fields a document gives more than once, wherever they stand.
public final class Duplicates {

  private static final int MAX_COMPLAINTS = 100;

  private Duplicates() {}

  /// `duplicate field "data.a"` for every such field, in the order of the document.
  public static List<String> of(Document document) {
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
}
