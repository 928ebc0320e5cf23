package io.berth.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/// An amount of a resource: `100m`, `1.5Gi`, `2e3`.
///
/// As in Kubernetes: amounts finer than a billionth are rounded away from zero when read, and
/// [#value()] and [#milliValue()] round away from zero. Amounts that do not fit a `long` saturate,
/// where Kubernetes would wrap around; see `docs/compatibility.md`.
public record Quantity(BigDecimal amount, Format format) implements Comparable<Quantity> {

  public static final Quantity ZERO = new Quantity(BigDecimal.ZERO, Format.DECIMAL_SI);

  private static final String PATTERN = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
  private static final int NANO_SCALE = 9;

  // Beyond this the amount is cut off: no sum of such amounts means anything, and a number with a
  // billion digits must not be written out.
  private static final int MAX_EXPONENT = 40;
  private static final BigDecimal LARGEST = BigDecimal.TEN.pow(MAX_EXPONENT);
  private static final BigDecimal SMALLEST = BigDecimal.ONE.movePointLeft(NANO_SCALE);
  private static final BigDecimal MAX_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);

  /// The family of suffixes the amount was written with, and is written with again.
  public enum Format {
    DECIMAL_SI,
    BINARY_SI,
    DECIMAL_EXPONENT
  }

  // By hand, as in [PodSpec].
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Quantity that && format == that.format && amount.equals(that.amount));
  }

  @Override
  public int hashCode() {
    return amount.hashCode();
  }

  public static Quantity of(long value) {
    return new Quantity(BigDecimal.valueOf(value), Format.DECIMAL_SI);
  }

  public static Quantity ofMillis(long millis) {
    return new Quantity(BigDecimal.valueOf(millis, 3).stripTrailingZeros(), Format.DECIMAL_SI);
  }

  /// Reads a quantity, or throws an [IllegalArgumentException] in Kubernetes' words.
  public static Quantity parse(String text) {
    int end = text.length();
    int at = end > 0 && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
    int digits = at;
    int points = 0;
    while (at < end && (isDigit(text.charAt(at)) || text.charAt(at) == '.')) {
      points += text.charAt(at) == '.' ? 1 : 0;
      at++;
    }
    if (end == 0 || points > 1 || !isSuffixShaped(text, at)) {
      throw new IllegalArgumentException(
          "quantities must match the regular expression '" + PATTERN + "'");
    }
    var suffix = text.substring(at);
    // As in Kubernetes, a number without digits is 0.
    var number =
        at - digits == points
            ? BigDecimal.ZERO
            : new BigDecimal(text.substring(text.charAt(0) == '+' ? 1 : 0, at));
    return scaled(number, suffix);
  }

  private static boolean isSuffixShaped(String text, int at) {
    int end = text.length();
    while (at < end && "eEinumkKMGTP".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at < end && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    while (at < end && isDigit(text.charAt(at))) {
      at++;
    }
    return at == end;
  }

  private static Quantity scaled(BigDecimal number, String suffix) {
    return switch (suffix) {
      case "n" -> decimal(number, -9, Format.DECIMAL_SI);
      case "u" -> decimal(number, -6, Format.DECIMAL_SI);
      case "m" -> decimal(number, -3, Format.DECIMAL_SI);
      case "" -> decimal(number, 0, Format.DECIMAL_SI);
      case "k" -> decimal(number, 3, Format.DECIMAL_SI);
      case "M" -> decimal(number, 6, Format.DECIMAL_SI);
      case "G" -> decimal(number, 9, Format.DECIMAL_SI);
      case "T" -> decimal(number, 12, Format.DECIMAL_SI);
      case "P" -> decimal(number, 15, Format.DECIMAL_SI);
      case "E" -> decimal(number, 18, Format.DECIMAL_SI);
      case "Ki" -> binary(number, 10);
      case "Mi" -> binary(number, 20);
      case "Gi" -> binary(number, 30);
      case "Ti" -> binary(number, 40);
      case "Pi" -> binary(number, 50);
      case "Ei" -> binary(number, 60);
      default -> decimal(number, exponent(suffix), Format.DECIMAL_EXPONENT);
    };
  }

  private static int exponent(String suffix) {
    if (suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')) {
      try {
        // As in Kubernetes, the exponent keeps its low 32 bits.
        return (int) Long.parseLong(suffix.substring(1));
      } catch (NumberFormatException e) {
        throw badSuffix(e);
      }
    }
    throw badSuffix(null);
  }

  private static IllegalArgumentException badSuffix(@Nullable Exception cause) {
    return new IllegalArgumentException("unable to parse quantity's suffix", cause);
  }

  private static Quantity decimal(BigDecimal number, int exponent, Format format) {
    return new Quantity(bounded(number, exponent).stripTrailingZeros(), format);
  }

  private static Quantity binary(BigDecimal number, int exponent) {
    var factor = new BigDecimal(BigInteger.ONE.shiftLeft(exponent));
    var amount = bounded(number.multiply(factor), 0);
    if (amount.abs().compareTo(MAX_BINARY) > 0) {
      amount = amount.signum() < 0 ? MAX_BINARY.negate() : MAX_BINARY;
    }
    boolean fraction = amount.signum() > 0 && amount.compareTo(BigDecimal.ONE) < 0;
    return new Quantity(
        amount.stripTrailingZeros(), fraction ? Format.DECIMAL_SI : Format.BINARY_SI);
  }

  private static BigDecimal bounded(BigDecimal number, int exponent) {
    if (number.signum() == 0) {
      return BigDecimal.ZERO;
    }
    long magnitude = (long) number.precision() - number.scale() + exponent;
    var sign = BigDecimal.valueOf(number.signum());
    if (magnitude > MAX_EXPONENT) {
      return LARGEST.multiply(sign);
    }
    if (magnitude < -NANO_SCALE) {
      return SMALLEST.multiply(sign);
    }
    var amount = number.scaleByPowerOfTen(exponent);
    return amount.scale() > NANO_SCALE ? amount.setScale(NANO_SCALE, RoundingMode.UP) : amount;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /// The amount in whole units, rounded away from zero.
  public long value() {
    return rounded(amount);
  }

  /// The amount in thousandths, rounded away from zero.
  public long milliValue() {
    return rounded(amount.movePointRight(3));
  }

  private static long rounded(BigDecimal amount) {
    if (amount.precision() - amount.scale() > 19) {
      return amount.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    var whole = amount.scale() <= 0 ? amount : amount.setScale(0, RoundingMode.UP);
    var integer = whole.toBigInteger();
    if (integer.bitLength() > 63) {
      return integer.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return integer.longValue();
  }

  public Quantity plus(Quantity other) {
    return new Quantity(amount.add(other.amount), amount.signum() == 0 ? other.format : format);
  }

  public Quantity minus(Quantity other) {
    return new Quantity(amount.subtract(other.amount), format);
  }

  public boolean isZero() {
    return amount.signum() == 0;
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  /// The canonical form, as an API server writes it.
  @Override
  public String toString() {
    if (isZero()) {
      return "0";
    }
    boolean whole = amount.stripTrailingZeros().scale() <= 0;
    boolean small = amount.abs().compareTo(BigDecimal.valueOf(1024)) < 0;
    return switch (format) {
      case BINARY_SI -> whole && !small ? binaryText() : decimalText(false);
      case DECIMAL_SI -> decimalText(false);
      case DECIMAL_EXPONENT -> decimalText(true);
    };
  }

  private String binaryText() {
    var number = amount.toBigInteger();
    int step = 0;
    while (step < 6 && number.getLowestSetBit() >= 10) {
      number = number.shiftRight(10);
      step++;
    }
    return number + (step == 0 ? "" : "KMGTPE".charAt(step - 1) + "i");
  }

  private String decimalText(boolean asExponent) {
    var bare = amount.stripTrailingZeros();
    // The exponent is the largest multiple of three that leaves a whole number.
    int exponent = Math.floorDiv(-bare.scale(), 3) * 3;
    exponent = Math.max(exponent, -NANO_SCALE);
    if (!asExponent) {
      exponent = Math.min(exponent, 18);
    }
    var number = bare.movePointLeft(exponent).setScale(0, RoundingMode.UP).toBigInteger();
    if (exponent == 0) {
      return number.toString();
    }
    return asExponent ? number + "e" + exponent : number + suffixOf(exponent);
  }

  private static String suffixOf(int exponent) {
    return switch (exponent) {
      case -9 -> "n";
      case -6 -> "u";
      case -3 -> "m";
      case 3 -> "k";
      case 6 -> "M";
      case 9 -> "G";
      case 12 -> "T";
      case 15 -> "P";
      default -> "E";
    };
  }
}
