package io.berth.kinds.meta;

import org.jspecify.annotations.Nullable;

/// Values that are a number or a percentage of one.
///
/// Mirrors: apps/validation.ValidatePositiveIntOrPercent, IsNotMoreThan100Percent
public final class IntOrPercent {

  private IntOrPercent() {}

  /// A number that is not negative, or `25%`.
  public static void validate(Cursor field) {
    if (field.value() instanceof String) {
      field.follows(Names::percent);
    } else {
      field.nonNegative();
    }
  }

  /// The percentage, or -1 for plain numbers and other texts.
  public static int percent(@Nullable Object value) {
    if (value instanceof String text && Names.percent(text).isEmpty() && text.length() < 10) {
      return Integer.parseInt(text.substring(0, text.length() - 1));
    }
    return -1;
  }

  /// The number, whether it is a percentage, a number or a text of one; other texts are 0.
  public static long number(@Nullable Object value) {
    if (value instanceof Long number) {
      return number;
    }
    if (value instanceof String text && text.matches("[+-]?[0-9]{1,9}")) {
      return Integer.parseInt(text);
    }
    return Math.max(percent(value), 0);
  }

  public static void notMoreThanAll(Cursor field) {
    if (percent(field.value()) > 100) {
      field.invalid("must not be greater than 100%");
    }
  }
}
