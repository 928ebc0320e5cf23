package io.berth.workloads.list;

import io.berth.workloads.http.Refusal;
import io.berth.workloads.list.Columns.Column;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Comparing what a column holds with what a request says.
public final class Values {

  private Values() {}

  static int compare(Column column, Object value, String operand) {
    return switch (column.kind()) {
      case NUMBER -> Double.compare(number(value), (Double) operand(column, operand));
      case TIME -> time(text(value)).compareTo((Instant) operand(column, operand));
      case TEXT, FLAG -> text(value).compareTo(operand);
    };
  }

  static Object operand(Column column, String operand) {
    try {
      return switch (column.kind()) {
        case NUMBER -> number(operand);
        case TIME -> time(operand);
        case TEXT -> operand;
        case FLAG -> flag(operand);
      };
    } catch (NumberFormatException | DateTimeParseException e) {
      throw Refusal.badRequest(
          "filterBy: \"%s\" is no %s, as %s needs"
              .formatted(
                  operand,
                  switch (column.kind()) {
                    case NUMBER -> "number";
                    case TIME -> "RFC 3339 time";
                    case FLAG -> "true or false";
                    case TEXT -> "text";
                  },
                  column.name()));
    }
  }

  // Java reads more as a number than anybody writes: 1d, NaN, 0x1p3.
  private static Double number(String operand) {
    if (!operand.matches("[-+]?[0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?")) {
      throw new NumberFormatException(operand);
    }
    return Double.valueOf(operand);
  }

  private static Boolean flag(String operand) {
    return switch (operand) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new NumberFormatException(operand);
    };
  }

  /// Orders two values of a column; absent ones come last, whichever way the list is sorted.
  static int order(Column column, @Nullable Object a, @Nullable Object b, boolean descending) {
    if (a == null || b == null) {
      return a == null && b == null ? 0 : a == null ? 1 : -1;
    }
    int order =
        switch (column.kind()) {
          case NUMBER -> Double.compare(number(a), number(b));
          case TIME -> time(text(a)).compareTo(time(text(b)));
          case TEXT, FLAG -> text(a).compareTo(text(b));
        };
    return descending ? -order : order;
  }

  /// As answers show it: a whole number has no fraction.
  static String text(Object value) {
    return switch (value) {
      case List<?> list -> String.join(",", list.stream().map(String::valueOf).toList());
      case Double number when number == Math.rint(number) && Math.abs(number) < 1e15 ->
          Long.toString(number.longValue());
      default -> value.toString();
    };
  }

  private static double number(Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.parseDouble(text(value));
  }

  /// RFC 3339; a time without a zone is UTC, and a space may stand for the plus sign of an offset
  /// that was not encoded.
  public static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text.replace(' ', '+')).toInstant();
    } catch (DateTimeParseException e) {
      return LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
    }
  }
}
