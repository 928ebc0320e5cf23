package io.berth.workloads.policy;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values of fields compared as what they mean: `1` is `1.0`, `1Gi` is `1024Mi`.
final class Values {

  private Values() {}

  static boolean same(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Tree a && other instanceof Tree b) {
      return sameFields(a, b) && sameFields(b, a);
    }
    if (one instanceof List<?> a && other instanceof List<?> b) {
      if (a.size() != b.size()) {
        return false;
      }
      for (int i = 0; i < a.size(); i++) {
        if (!same(a.get(i), b.get(i))) {
          return false;
        }
      }
      return true;
    }
    if (one instanceof Number && other instanceof Number) {
      return number(one).compareTo(number(other)) == 0;
    }
    return one == null ? other == null : one.equals(other);
  }

  /// A null field is as good as none.
  private static boolean sameFields(Tree one, Tree other) {
    return one.names().stream().allMatch(name -> same(one.get(name), other.get(name)));
  }

  static boolean same(Kind kind, @Nullable Object one, @Nullable Object other) {
    if (kind == Kind.QUANTITY && isNumber(kind, one) && isNumber(kind, other)) {
      return number(one).compareTo(number(other)) == 0;
    }
    return same(one, other);
  }

  /// Whether the value is a number of this kind.
  static boolean isNumber(Kind kind, @Nullable Object value) {
    return switch (kind) {
      case INTEGER -> value instanceof Long;
      case NUMBER -> value instanceof Long || value instanceof Double;
      case QUANTITY -> value instanceof String text && isQuantity(text);
      default -> false;
    };
  }

  static BigDecimal number(@Nullable Object value) {
    return switch (value) {
      case Long whole -> BigDecimal.valueOf(whole);
      case Double fraction -> BigDecimal.valueOf(fraction);
      case String text -> Quantity.parse(text).amount();
      case null, default -> throw new IllegalArgumentException("no number: " + value);
    };
  }

  private static boolean isQuantity(String text) {
    try {
      Quantity.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
