package io.berth.api;

import java.math.BigDecimal;

/// Numbers as Go prints them, for messages that must be those of Kubernetes.
public final class GoNumbers {

  private GoNumbers() {}

  /// As `%v` does: `0.5`, `10`, `1e+06`.
  public static String text(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "+Inf" : "-Inf";
    }
    if (number == 0) {
      return "0";
    }
    var shortest = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    var digits = shortest.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    if (exponent >= -4 && exponent <= 5) {
      return shortest.toPlainString();
    }
    var mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    return "%s%se%s%02d"
        .formatted(number < 0 ? "-" : "", mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
  }
}
