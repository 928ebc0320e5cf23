package io.berth.testing;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// JSON merge patch, and of the strategic one only that `conditions` merge by type and that values
/// can be taken out of a list.
final class MergePatch {

  private static final String DELETE_FROM = "$deleteFromPrimitiveList/";

  private MergePatch() {}

  static Tree apply(Tree target, Tree patch, boolean strategic) {
    var merged = target.copy();
    patch
        .fields()
        .forEach((name, value) -> {
          if (value == null) {
            merged.remove(name);
          } else if (strategic && name.startsWith(DELETE_FROM) && value instanceof List<?> gone) {
            var list = name.substring(DELETE_FROM.length());
            var rest = new ArrayList<@Nullable Object>(merged.list(list));
            rest.removeAll(gone);
            merged.put(list, rest);
          } else if (value instanceof Tree nested) {
            merged.put(name, apply(merged.treeOrEmpty(name), nested, strategic));
          } else if (strategic && name.equals("conditions") && value instanceof List<?> list) {
            merged.put(name, byType(merged.list(name), list));
          } else {
            merged.put(name, Tree.copyOf(value));
          }
        });
    return merged;
  }

  private static List<@Nullable Object> byType(List<@Nullable Object> old, List<?> changed) {
    var merged = new ArrayList<@Nullable Object>(old);
    for (var element : changed) {
      var condition = (Tree) element;
      var found = false;
      for (int i = 0; i < merged.size() && !found; i++) {
        if (merged.get(i) instanceof Tree tree
            && tree.textOrEmpty("type").equals(condition.text("type"))) {
          merged.set(i, apply(tree, condition, true));
          found = true;
        }
      }
      if (!found) {
        merged.add(condition.copy());
      }
    }
    return merged;
  }
}
