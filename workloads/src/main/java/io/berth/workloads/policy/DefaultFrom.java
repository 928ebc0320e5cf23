package io.berth.workloads.policy;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// A default that is another field's value times a factor.
final class DefaultFrom {

  private DefaultFrom() {}

  /// The value, or `null` when there is nothing to take it from.
  static @Nullable Object value(Kind kind, Tree rule, @Nullable Object source) {
    if (source == null
        || (!(source instanceof Number) && !Values.isNumber(Kind.QUANTITY, source))) {
      return null;
    }
    var factor = rule.get("factor") == null ? BigDecimal.ONE : Values.number(rule.get("factor"));
    var product = Values.number(source).multiply(factor);
    return switch (kind) {
      case INTEGER -> product.setScale(0, RoundingMode.CEILING).longValue();
      case NUMBER -> product.doubleValue();
      case QUANTITY -> quantity(product, source).toString();
      default -> null;
    };
  }

  /// In the notation of the source, so that gibibytes stay gibibytes.
  private static Quantity quantity(BigDecimal amount, Object source) {
    var format =
        source instanceof String text ? Quantity.parse(text).format() : Quantity.Format.DECIMAL_SI;
    return new Quantity(amount.stripTrailingZeros(), format);
  }
}
