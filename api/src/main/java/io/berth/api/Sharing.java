package io.berth.api;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.UnaryOperator;
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

  private final UnaryOperator<@Nullable Object> section = this::section;
  private final UnaryOperator<@Nullable Object> field = this::field;
  private final UnaryOperator<@Nullable Object> inner = this::inner;

  /// Freezes the tree, whose parts may be replaced by equal ones; the tree itself stays what it is.
  ///
  /// What is frozen already is left alone: it was shared when it was frozen.
  public Tree freeze(Tree tree) {
    return tree.freeze(section);
  }

  /// The same text, as one object for all who ask here.
  public String text(String text) {
    return text.length() > LONGEST ? text : (String) shared(text, inner);
  }

  /// `metadata`, `spec` and `status`, hardly ever equal as a whole.
  private @Nullable Object section(@Nullable Object value) {
    return value == null || isWhole(value) ? value : shared(frozen(value, field), inner);
  }

  /// `labels`, `managedFields`, `containers`: often known, and then nobody looks at their parts.
  private @Nullable Object field(@Nullable Object value) {
    return value == null || isWhole(value) ? value : shared(value, inner);
  }

  /// Everything below, from the inside out, so that no part is hashed twice.
  private @Nullable Object inner(@Nullable Object value) {
    return value == null || isWhole(value) ? value : shared(frozen(value, inner), inner);
  }

  /// Whether there is nothing to be done about a value: Java shares small numbers itself.
  private static boolean isWhole(Object value) {
    return switch (value) {
      case Boolean _ -> true;
      case Long number -> number == number.byteValue();
      case String text -> text.length() > LONGEST;
      case Tree tree -> tree.isFrozen();
      case FrozenList _ -> true;
      default -> false;
    };
  }

  /// What is known and the same; else the part, frozen by `freezer` if it is not yet.
  private Object shared(Object part, UnaryOperator<@Nullable Object> freezer) {
    int hash = part.hashCode();
    int place = 2 * ((hash * 0x9E3779B1) >>> -Integer.numberOfTrailingZeros(PLACES));
    var settled = known.getAcquire(place);
    if (settled != null && settled.hashCode() == hash && same(settled, part)) {
      return settled;
    }
    var newest = known.getAcquire(place + 1);
    if (newest != null && newest.hashCode() == hash && same(newest, part)) {
      known.setRelease(place, newest);
      known.setRelease(place + 1, settled);
      return newest;
    }
    var frozen = frozen(part, freezer);
    known.setRelease(place + 1, frozen);
    return frozen;
  }

  private static Object frozen(Object part, UnaryOperator<@Nullable Object> freezer) {
    return switch (part) {
      case Tree tree -> tree.freeze(freezer);
      case ArrayList<?> list -> FrozenList.of(list, freezer);
      default -> Tree.checkedValue(part);
    };
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
      case Tree tree -> other instanceof Tree another && tree.sameInOrder(another, Sharing::same);
      case List<?> list -> other instanceof List<?> another && sameLists(list, another);
      default -> one.equals(other);
    };
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
