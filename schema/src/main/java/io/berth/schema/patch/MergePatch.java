package io.berth.schema.patch;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.schema.Duplicates;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// RFC 7386: objects merge, `null` removes, everything else replaces.
public final class MergePatch {

  private MergePatch() {}

  /// The patched copy of `current`, which stays as it is.
  public static Patched apply(byte[] body, Tree current) {
    var document = PatchBody.read(body);
    var patch = document.value();
    if (patch == null) {
      throw ApiException.badRequest("Invalid JSON Patch");
    }
    if (!(patch instanceof Tree tree)) {
      throw ApiException.badRequest(
          "error decoding patch: json: cannot unmarshal %s into Go value of type map[string]interface {}"
              .formatted(PatchBody.kindOf(patch)));
    }
    var patched = current.copy();
    merge(patched, tree);
    return new Patched(patched, Duplicates.of(document));
  }

  private static void merge(Tree target, Tree patch) {
    for (var entry : patch.fields().entrySet()) {
      var name = entry.getKey();
      switch (entry.getValue()) {
        case null -> target.remove(name);
        case Tree change when target.get(name) instanceof Tree inner -> merge(inner, change);
        case List<?> list when target.get(name) instanceof Tree -> target.put(name, list);
        default -> target.put(name, withoutNulls(entry.getValue()));
      }
    }
  }

  /// What is new loses its nulls, also inside lists; list elements that are null stay.
  private static @Nullable Object withoutNulls(@Nullable Object value) {
    if (value instanceof Tree tree) {
      for (var name : List.copyOf(tree.names())) {
        if (tree.get(name) == null) {
          tree.remove(name);
        } else {
          withoutNulls(tree.get(name));
        }
      }
    } else if (value instanceof List<?> list) {
      list.forEach(MergePatch::withoutNulls);
    }
    return value;
  }
}
