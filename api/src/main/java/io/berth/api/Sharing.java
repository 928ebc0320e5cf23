package io.berth.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Freezes trees such that equal parts of them are one object.
///
/// The replicas of a Deployment differ in names, nodes and times; their containers, tolerations,
/// owners and managed fields are the same a thousand times over, and so are a node's capacity and
/// most texts. What was seen before is taken from a table of fixed size: of two parts that want the
/// same place in it, the one that has been met again stays.
///
/// May be used by several threads: they share what one of them has put into the table.
public final class Sharing {

  /// Power of two. The table takes half a MiB, and keeps alive what it refers to.
  private static final int PLACES = 1 << 16;

  /// Longer texts are hardly ever equal, and cost time to compare.
  private static final int LONGEST = 256;

  /// Each place has two parts: first the one that was met again, then the newest.
  private final AtomicReferenceArray<@Nullable Object> known =
      new AtomicReferenceArray<>(2 * PLACES);

  /// Freezes the tree, whose parts may be replaced by equal ones; the tree itself stays what it is.
  public Tree freeze(Tree tree) {
    return tree.freeze(this::shared);
  }

  private @Nullable Object shared(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Boolean flag -> flag;
      case String text when text.length() > LONGEST -> text;
      case Tree tree -> known(freeze(tree));
      case ArrayList<?> list -> known(FrozenList.of(list, this::shared));
      default -> known(value);
    };
  }

  private Object known(Object part) {
    int spread = part.hashCode() * 0x9E3779B1;
    int place = 2 * (spread >>> -Integer.numberOfTrailingZeros(PLACES));
    var settled = known.getAcquire(place);
    if (settled != null && same(settled, part)) {
      return settled;
    }
    var newest = known.getAcquire(place + 1);
    if (newest != null && same(newest, part)) {
      known.setRelease(place, newest);
      known.setRelease(place + 1, settled);
      return newest;
    }
    known.setRelease(place + 1, part);
    return part;
  }

  /// Stricter than `equals`: the order of fields counts, because it is the order in which they are
  /// written.
  @SuppressWarnings("ReferenceEquality")
  private static boolean same(@Nullable Object one, @Nullable Object other) {
    if (one == other) {
      return true;
    }
    return switch (one) {
      case null -> false;
      case Tree tree -> other instanceof Tree another && sameTrees(tree, another);
      case List<?> list -> other instanceof List<?> another && sameLists(list, another);
      default -> one.equals(other);
    };
  }

  private static boolean sameTrees(Tree one, Tree other) {
    return one.hashCode() == other.hashCode() && one.sameInOrder(other, Sharing::same);
  }

  private static boolean sameLists(List<?> one, List<?> other) {
    if (one.size() != other.size()) {
      return false;
    }
    for (int i = 0; i < one.size(); i++) {
      if (!same(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }
}
