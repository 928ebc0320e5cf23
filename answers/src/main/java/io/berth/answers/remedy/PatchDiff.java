package io.berth.answers.remedy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The JSON Patch (RFC 6902) that makes one object of another.
final class PatchDiff {

  private final List<Tree> operations = new ArrayList<>();

  private PatchDiff() {}

  static List<Tree> between(Tree old, Tree changed, String path) {
    var patch = new PatchDiff();
    patch.compare(path, old, changed);
    return patch.operations;
  }

  private void compare(String path, @Nullable Object old, @Nullable Object changed) {
    if (Objects.equals(old, changed)) {
      return;
    }
    if (old instanceof Tree before && changed instanceof Tree after) {
      objects(path, before, after);
    } else if (old instanceof List<?> before && changed instanceof List<?> after) {
      lists(path, before, after);
    } else {
      operations.add(Tree.of("op", "replace", "path", path, "value", Tree.copyOf(changed)));
    }
  }

  private void objects(String path, Tree before, Tree after) {
    for (var name : before.names()) {
      var field = path + "/" + escaped(name);
      if (after.has(name)) {
        compare(field, before.get(name), after.get(name));
      } else {
        operations.add(Tree.of("op", "remove", "path", field));
      }
    }
    for (var name : after.names()) {
      if (!before.has(name)) {
        operations.add(
            Tree.of("op", "add", "path", path + "/" + escaped(name))
                .put("value", Tree.copyOf(after.get(name))));
      }
    }
  }

  // One element that went or came last is said as such; other lists of unequal length are new.
  private void lists(String path, List<?> before, List<?> after) {
    if (before.size() == after.size()) {
      for (int i = 0; i < before.size(); i++) {
        compare(path + "/" + i, before.get(i), after.get(i));
      }
    } else if (after.size() == before.size() + 1
        && before.equals(after.subList(0, before.size()))) {
      operations.add(
          Tree.of("op", "add", "path", path + "/-").put("value", Tree.copyOf(after.getLast())));
    } else if (isOneLess(before, after)) {
      operations.add(Tree.of("op", "remove", "path", path + "/" + firstDifference(before, after)));
    } else {
      operations.add(Tree.of("op", "replace", "path", path, "value", Tree.copyOf(after)));
    }
  }

  private static boolean isOneLess(List<?> before, List<?> after) {
    if (before.size() != after.size() + 1) {
      return false;
    }
    int at = firstDifference(before, after);
    return before.subList(at + 1, before.size()).equals(after.subList(at, after.size()));
  }

  private static int firstDifference(List<?> before, List<?> after) {
    int at = 0;
    while (at < after.size() && Objects.equals(before.get(at), after.get(at))) {
      at++;
    }
    return at;
  }

  private static String escaped(String name) {
    return name.replace("~", "~0").replace("/", "~1");
  }
}
