package io.berth.schema;

import java.math.BigInteger;

/// Quantities in the form Kubernetes gives them back: `0.5` as `500m`, `1024Mi` as `1Gi`.
///
/// As in Kubernetes, a text that looks canonical already is kept letter by letter, so `+5` and
/// `1e03` survive; fractions of a nano are rounded up, and binary amounts are capped at 2^63-1.
public final class Quantities {

  public static final String FORMAT_WRONG =
      "quantities must match the regular expression"
          + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  public static final String SUFFIX_WRONG = "unable to parse quantity's suffix";
  private static final String NUMBER_WRONG = "unable to parse numeric part of quantity";

  // Digits of a long that always fit, and of binary amounts, as Kubernetes estimates them.
  private static final int LONG_DIGITS = 18;
  private static final int BINARY_DIGITS = 15;
  private static final int NANO = -9;
  private static final int MAX_LENGTH = 1000;
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

  private enum Format {
    DECIMAL_SI,
    DECIMAL_EXPONENT,
    BINARY_SI
  }

  private Quantities() {}

  /// The canonical form of a quantity; an [IllegalArgumentException] carries Kubernetes' text.
  public static String canonical(String text) {
    return looksCanonical(text) ? text : Parts.of(text).canonical(text);
  }

  /// The common case without any arithmetic: a few digits and a one-letter or binary suffix.
  private static boolean looksCanonical(String text) {
    int digits = 0;
    while (digits < text.length() && text.charAt(digits) >= '0' && text.charAt(digits) <= '9') {
      digits++;
    }
    if (digits == 0 || digits > 6 || text.charAt(0) == '0') {
      return digits == 1 && text.length() == 1;
    }
    return switch (text.length() - digits) {
      case 0 -> !text.regionMatches(digits - 3, "000", 0, 3);
      case 1 ->
          "munkMGTP".indexOf(text.charAt(digits)) >= 0
              && !text.regionMatches(digits - 3, "000", 0, 3);
      case 2 ->
          text.charAt(digits + 1) == 'i'
              && "KMGT".indexOf(text.charAt(digits)) >= 0
              && Integer.parseInt(text, 0, digits, 10) % 1024 != 0;
      default -> false;
    };
  }

  /// The pieces of a quantity's text.
  private record Parts(String number, String whole, String fraction, Format format, int exponent) {

    static Parts of(String text) {
      if (text.isEmpty() || text.length() > MAX_LENGTH) {
        throw new IllegalArgumentException(FORMAT_WRONG);
      }
      int at = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
      int start = at;
      while (start < text.length() && text.charAt(start) == '0') {
        start++;
      }
      at = endOfDigits(text, start);
      var whole = at == start ? "0" : text.substring(start, at);
      var fraction = "";
      if (start < text.length() && at < text.length() && text.charAt(at) == '.') {
        int end = endOfDigits(text, at + 1);
        fraction = text.substring(at + 1, end);
        at = end;
      }
      return withSuffix(text.substring(0, at), whole, fraction, suffix(text, at));
    }

    private static int endOfDigits(String text, int from) {
      int end = from;
      while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
        end++;
      }
      return end;
    }

    private static String suffix(String text, int from) {
      int at = from;
      while (at < text.length() && "eEinumkKMGTP".indexOf(text.charAt(at)) >= 0) {
        at++;
      }
      if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
        at++;
      }
      if (endOfDigits(text, at) < text.length()) {
        throw new IllegalArgumentException(FORMAT_WRONG);
      }
      return text.substring(from);
    }

    private static Parts withSuffix(String number, String whole, String fraction, String suffix) {
      int decimal =
          switch (suffix) {
            case "n" -> -9;
            case "u" -> -6;
            case "m" -> -3;
            case "" -> 0;
            case "k" -> 3;
            case "M" -> 6;
            case "G" -> 9;
            case "T" -> 12;
            case "P" -> 15;
            case "E" -> 18;
            default -> Integer.MIN_VALUE;
          };
      if (decimal != Integer.MIN_VALUE) {
        return new Parts(number, whole, fraction, Format.DECIMAL_SI, decimal);
      }
      int binary =
          suffix.length() == 2 && suffix.endsWith("i") ? "KMGTPE".indexOf(suffix.charAt(0)) : -1;
      if (binary >= 0) {
        return new Parts(number, whole, fraction, Format.BINARY_SI, 10 * (binary + 1));
      }
      if (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E') {
        return new Parts(
            number, whole, fraction, Format.DECIMAL_EXPONENT, exponent(suffix.substring(1)));
      }
      throw new IllegalArgumentException(SUFFIX_WRONG);
    }

    private static int exponent(String digits) {
      try {
        return Integer.parseInt(digits);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(SUFFIX_WRONG, e);
      }
    }

    boolean negative() {
      return number.startsWith("-");
    }

    String canonical(String text) {
      if (fitsLong()) {
        return isKept() ? text : Amount.of(this).canonical();
      }
      if (number.chars().noneMatch(Character::isDigit)) {
        throw new IllegalArgumentException(NUMBER_WRONG);
      }
      return Amount.of(this).canonical();
    }

    /// Whether Kubernetes takes the amount for one that surely fits a long.
    private boolean fitsLong() {
      if (format == Format.BINARY_SI) {
        int precision = BINARY_DIGITS - whole.length() - (int) (exponent * 3f / 10) - 1;
        return precision >= 0 && fraction.isEmpty();
      }
      return whole.length() + fraction.length() <= LONG_DIGITS && scale() >= NANO;
    }

    /// Whether an amount that fits a long is given back letter by letter.
    private boolean isKept() {
      var digits = whole + fraction;
      return format == Format.BINARY_SI
          ? (Long.parseLong(digits) & 7) != 0
          : scale() % 3 == 0 && !digits.endsWith("000") && digits.charAt(0) != '0';
    }

    private long scale() {
      return (long) exponent - fraction.length();
    }
  }

  /// An exact amount: `unscaled` times ten to the power of `exponent`.
  private record Amount(BigInteger unscaled, long exponent, Format format) {

    static Amount of(Parts parts) {
      var unscaled = new BigInteger(parts.whole + parts.fraction);
      long exponent = -parts.fraction.length();
      var format = parts.format;
      if (format == Format.BINARY_SI) {
        unscaled = unscaled.shiftLeft(parts.exponent);
      } else {
        exponent += parts.exponent;
      }
      var amount = new Amount(unscaled, exponent, format).roundedUpToNano();
      if (format == Format.BINARY_SI) {
        amount = amount.cappedAndPlain();
      }
      return parts.negative() ? amount.negated() : amount;
    }

    private Amount negated() {
      return new Amount(unscaled.negate(), exponent, format);
    }

    private Amount roundedUpToNano() {
      if (exponent >= NANO || unscaled.signum() == 0) {
        return this;
      }
      long drop = NANO - exponent;
      if (drop > MAX_LENGTH) {
        return new Amount(BigInteger.ONE, NANO, format);
      }
      var parts = unscaled.divideAndRemainder(BigInteger.TEN.pow((int) drop));
      var rounded = parts[1].signum() == 0 ? parts[0] : parts[0].add(BigInteger.ONE);
      return new Amount(rounded, NANO, format);
    }

    private Amount cappedAndPlain() {
      var one = BigInteger.TEN.pow((int) -exponent);
      if (unscaled.compareTo(MAX.multiply(one)) > 0) {
        return new Amount(MAX, 0, format);
      }
      return unscaled.signum() > 0 && unscaled.compareTo(one) < 0
          ? new Amount(unscaled, exponent, Format.DECIMAL_SI)
          : this;
    }

    String canonical() {
      if (unscaled.signum() == 0) {
        return "0";
      }
      if (format == Format.BINARY_SI) {
        var parts = unscaled.divideAndRemainder(BigInteger.TEN.pow((int) -exponent));
        var large = parts[0].abs().compareTo(BigInteger.valueOf(1024)) >= 0;
        if (large && parts[1].signum() == 0) {
          return binary(parts[0]);
        }
      }
      return decimal();
    }

    private static String binary(BigInteger value) {
      int power = 0;
      while (power < 6 && value.getLowestSetBit() >= 10) {
        value = value.shiftRight(10);
        power++;
      }
      return power == 0 ? value.toString() : value.toString() + "KMGTPE".charAt(power - 1) + "i";
    }

    private String decimal() {
      var mantissa = unscaled;
      long power = exponent;
      while (true) {
        var parts = mantissa.divideAndRemainder(BigInteger.TEN);
        if (parts[1].signum() != 0) {
          break;
        }
        mantissa = parts[0];
        power++;
      }
      long rest = Math.floorMod(power, 3);
      mantissa = mantissa.multiply(BigInteger.TEN.pow((int) rest));
      return mantissa + suffix(power - rest);
    }

    private String suffix(long power) {
      if (power == 0) {
        return "";
      }
      if (format == Format.DECIMAL_EXPONENT) {
        return "e" + power;
      }
      // As in Kubernetes, a decimal amount beyond exa loses its suffix.
      return power > 18 ? "" : String.valueOf("num kMGTPE".charAt((int) (power + 9) / 3));
    }
  }
}
