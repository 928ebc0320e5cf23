package io.berth.controllers.runtime;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Objects as an API server sees them: when comparing, `null`, `{}` and `[]` are as good as absent.
public final class Trees {

  private Trees() {}

  public static boolean equivalent(@Nullable Object one, @Nullable Object other) {
    if (isAbsent(one) || isAbsent(other)) {
      return isAbsent(one) && isAbsent(other);
    }
    if (one instanceof Tree a && other instanceof Tree b) {
      return covers(a, b) && covers(b, a);
    }
    if (one instanceof List<?> a && other instanceof List<?> b) {
      if (a.size() != b.size()) {
        return false;
      }
      for (int i = 0; i < a.size(); i++) {
        if (!equivalent(a.get(i), b.get(i))) {
          return false;
        }
      }
      return true;
    }
    return one != null && one.equals(other);
  }

  /// A copy with fields in alphabetical order at every depth.
  public static Tree sorted(Tree tree) {
    var sorted = new Tree();
    new TreeMap<>(tree.fields()).forEach((name, value) -> sorted.put(name, sortedValue(value)));
    return sorted;
  }

  private static @Nullable Object sortedValue(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Tree tree -> sorted(tree);
      case List<?> list -> {
        var items = new ArrayList<@Nullable Object>(list.size());
        list.forEach(item -> items.add(sortedValue(item)));
        yield items;
      }
      default -> value;
    };
  }

  private static boolean covers(Tree a, Tree b) {
    for (var field : b.fields().entrySet()) {
      if (!equivalent(a.get(field.getKey()), field.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isAbsent(@Nullable Object value) {
    return switch (value) {
      case null -> true;
      case Tree tree -> tree.fields().values().stream().allMatch(Trees::isAbsent);
      case List<?> list -> list.isEmpty();
      default -> false;
    };
  }
}
