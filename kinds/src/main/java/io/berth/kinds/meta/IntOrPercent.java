package io.berth.kinds.meta;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import org.jspecify.annotations.Nullable;

/// Values that are a number or a percentage of one.
public final class IntOrPercent {

  private IntOrPercent() {}

  /// A number that is not negative, or `25%`.
  public static void validate(FieldPath path, @Nullable Object value, FieldErrors errors) {
    if (value instanceof String text) {
      Checks.complaints(path, text, Names.percent(text), errors);
    } else if (value instanceof Long number) {
      Checks.nonNegative(path, number, errors);
    } else {
      Checks.nonNegative(path, 0, errors);
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

  public static void notMoreThanAll(FieldPath path, @Nullable Object value, FieldErrors errors) {
    if (percent(value) > 100) {
      errors.invalid(path, value, "must not be greater than 100%");
    }
  }
}
