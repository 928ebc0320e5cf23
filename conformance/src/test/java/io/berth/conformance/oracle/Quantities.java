package io.berth.conformance.oracle;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;

/// Kubernetes quantities as exact decimals.
final class Quantities {

  private static final Map<String, BigDecimal> SUFFIXES =
      Map.ofEntries(
          Map.entry("n", BigDecimal.ONE.movePointLeft(9)),
          Map.entry("u", BigDecimal.ONE.movePointLeft(6)),
          Map.entry("m", BigDecimal.ONE.movePointLeft(3)),
          Map.entry("", BigDecimal.ONE),
          Map.entry("k", BigDecimal.ONE.movePointRight(3)),
          Map.entry("M", BigDecimal.ONE.movePointRight(6)),
          Map.entry("G", BigDecimal.ONE.movePointRight(9)),
          Map.entry("T", BigDecimal.ONE.movePointRight(12)),
          Map.entry("P", BigDecimal.ONE.movePointRight(15)),
          Map.entry("E", BigDecimal.ONE.movePointRight(18)),
          Map.entry("Ki", power(10)),
          Map.entry("Mi", power(20)),
          Map.entry("Gi", power(30)),
          Map.entry("Ti", power(40)),
          Map.entry("Pi", power(50)),
          Map.entry("Ei", power(60)));

  private Quantities() {}

  static BigDecimal parse(Object written) {
    var text = String.valueOf(written);
    int end = 0;
    while (end < text.length() && "+-.0123456789".indexOf(text.charAt(end)) >= 0) {
      end++;
    }
    var number = new BigDecimal(text.substring(0, end));
    var suffix = text.substring(end);
    var scale = SUFFIXES.get(suffix);
    var value =
        scale != null
            ? number.multiply(scale)
            : number.scaleByPowerOfTen(Integer.parseInt(suffix.substring(1)));
    return value.setScale(9, RoundingMode.UP).stripTrailingZeros();
  }

  static long value(BigDecimal quantity) {
    return quantity.setScale(0, RoundingMode.CEILING).longValue();
  }

  static long milliValue(BigDecimal quantity) {
    return value(quantity.movePointRight(3));
  }

  private static BigDecimal power(int bits) {
    return new BigDecimal(BigInteger.ONE.shiftLeft(bits));
  }
}
