package io.berth.conformance.random;

import io.berth.api.Tree;
import io.berth.conformance.Case;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Takes away from a case whatever can be taken away while it still shows the difference.
///
/// Greedy: parts are tried from the largest (steps, objects) to the smallest (fields), again and
/// again until nothing more can go, or the budget of attempts is used up.
public final class Shrinker {

  private static final int MAX_ATTEMPTS = 4000;
  private static final List<String> KEPT =
      List.of(
          "id",
          "theme",
          "seed",
          "steps",
          "metadata",
          "name",
          "namespace",
          "nodeName",
          "containers");

  private final Predicate<Case> differs;
  private int attempts;

  public Shrinker(Predicate<Case> differs) {
    this.differs = differs;
  }

  public Case shrink(Case found) {
    var tree = found.tree().copy();
    boolean smaller = true;
    while (smaller && attempts < MAX_ATTEMPTS) {
      smaller = shrinkObject(tree, tree);
    }
    return Case.of(tree);
  }

  private boolean shrinkObject(Tree whole, Tree object) {
    boolean smaller = false;
    for (var field : List.copyOf(object.names())) {
      var value = object.get(field);
      if (!KEPT.contains(field) && without(whole, object, field)) {
        smaller = true;
      } else if (value instanceof Tree child) {
        smaller |= shrinkObject(whole, child);
      } else if (value instanceof List<?> list) {
        smaller |= shrinkList(whole, object, field, list);
      }
    }
    return smaller;
  }

  private boolean shrinkList(Tree whole, Tree owner, String field, List<?> list) {
    boolean smaller = false;
    var left = new ArrayList<@Nullable Object>(list);
    for (int chunk = Math.max(1, left.size() / 2); chunk >= 1; chunk /= 2) {
      for (int i = left.size() - chunk; i >= 0; i -= chunk) {
        var fewer = new ArrayList<>(left);
        fewer.subList(i, i + chunk).clear();
        owner.put(field, fewer);
        if (stillDiffers(whole)) {
          left = fewer;
          smaller = true;
        }
      }
    }
    owner.put(field, left);
    for (var element : left) {
      if (element instanceof Tree child) {
        smaller |= shrinkObject(whole, child);
      }
    }
    return smaller;
  }

  private boolean without(Tree whole, Tree object, String field) {
    var value = object.remove(field);
    if (stillDiffers(whole)) {
      return true;
    }
    object.put(field, value);
    return false;
  }

  private boolean stillDiffers(Tree tree) {
    if (attempts++ > MAX_ATTEMPTS) {
      return false;
    }
    try {
      return differs.test(Case.of(tree.copy()));
    } catch (RuntimeException e) {
      return false;
    }
  }
}
