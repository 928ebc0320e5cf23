package io.berth.schema.crd;

import io.berth.api.GoNumbers;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Bounds and multiples of numbers, and whether they fit their type and format.
final class NumberRules {

  private static final double MAX_SAFE = 9007199254740991.0;
  private static final double EPSILON = 1e-9;

  private final @Nullable Double multipleOf;
  private final @Nullable Double minimum;
  private final @Nullable Double maximum;
  private final boolean exclusiveMinimum;
  private final boolean exclusiveMaximum;
  private final String type;
  private final String format;

  NumberRules(Tree schema, List<String> types, String format) {
    this.multipleOf = number(schema.get("multipleOf"));
    this.minimum = number(schema.get("minimum"));
    this.maximum = number(schema.get("maximum"));
    this.exclusiveMinimum = schema.flag("exclusiveMinimum");
    this.exclusiveMaximum = schema.flag("exclusiveMaximum");
    var only = types.size() == 1 ? types.getFirst() : "";
    this.type = only.equals("integer") || only.equals("number") ? only : "";
    this.format = type.isEmpty() ? "" : format;
  }

  private static @Nullable Double number(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : null;
  }

  void check(Number value, String path, Findings findings) {
    checkRange(value, "Checked", path, findings);
    if (multipleOf != null) {
      boolean fits = checkRange(multipleOf, "MultipleOf", path, findings);
      checkMultiple(value, multipleOf, fits, path, findings);
    }
    if (minimum != null) {
      boolean fits = checkRange(minimum, "Minimum boundary", path, findings);
      checkBound(value, minimum, fits, false, path, findings);
    }
    if (maximum != null) {
      boolean fits = checkRange(maximum, "Maximum boundary", path, findings);
      checkBound(value, maximum, fits, true, path, findings);
    }
    findings.count();
    findings.count();
  }

  /// Whether a value, or a bound, fits the type; if not, that is an objection to the whole.
  private boolean checkRange(Number value, String what, String path, Findings findings) {
    boolean fits =
        switch (type) {
          case "integer" -> isInteger(value) && (!format.equals("int32") || isInt32(value));
          case "number" ->
              !format.equals("float") || Math.abs(value.doubleValue()) <= Float.MAX_VALUE;
          default -> true;
        };
    if (!fits) {
      findings.whole(
          "%s value must be of type %s %s in %s"
              .formatted(
                  what,
                  type,
                  format.isEmpty() ? "(default format)" : "with format " + format,
                  path));
    }
    return fits;
  }

  private static boolean isInteger(Number value) {
    return value instanceof Long
        || (value.doubleValue() == Math.rint(value.doubleValue())
            && Math.abs(value.doubleValue()) < 0x1p63);
  }

  private static boolean isInt32(Number value) {
    double number = value.doubleValue();
    return number >= Integer.MIN_VALUE && number <= Integer.MAX_VALUE;
  }

  private static void checkMultiple(
      Number value, double factor, boolean fits, String path, Findings findings) {
    boolean whole = fits && value instanceof Long;
    if (whole ? (long) factor <= 0 : factor <= 0) {
      findings.add(
          path,
          "factor MultipleOf declared for %s must be positive: %s"
              .formatted(path, GoNumbers.text(factor)),
          factor);
      return;
    }
    double number = value.doubleValue();
    boolean multiple =
        whole
            ? value.longValue() % (long) factor == 0
            : isWhole(factor < 1 ? 1 / factor * number : number / factor);
    if (!multiple) {
      findings.invalid(
          path,
          value,
          "should be a multiple of " + (whole ? (long) factor : GoNumbers.text(factor)));
    }
  }

  private void checkBound(
      Number value, double bound, boolean fits, boolean upper, String path, Findings findings) {
    boolean whole = fits && value instanceof Long;
    boolean exclusive = upper ? exclusiveMaximum : exclusiveMinimum;
    int order =
        whole
            ? Long.compare(value.longValue(), (long) bound)
            : Double.compare(value.doubleValue(), bound);
    boolean broken = (exclusive && order == 0) || (upper ? order > 0 : order < 0);
    if (broken) {
      findings.invalid(
          path,
          value,
          "should be %s than %s%s"
              .formatted(
                  upper ? "less" : "greater",
                  exclusive ? "" : "or equal to ",
                  whole ? String.valueOf((long) bound) : GoNumbers.text(bound)));
    }
  }

  /// Whether a number is an integer that JSON carries without loss, rounding errors aside.
  static boolean isWhole(double number) {
    if (Double.isNaN(number) || Math.abs(number) > MAX_SAFE) {
      return false;
    }
    double whole = (double) (long) number;
    double difference = Math.abs(number - whole);
    return number == whole
        || (number != 0
            && whole != 0
            && difference / (Math.abs(number) + Math.abs(whole)) < EPSILON);
  }
}
