package io.berth.api;

import java.util.List;
import java.util.Locale;

/// One field of a cron schedule: the values it allows, as bits, and whether it was a star.
record CronField(long values, boolean isAny) {

  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

  /// The least and the greatest value, and words for them from the least on.
  private record Bounds(int min, int max, List<String> names) {}

  static CronField minutes(String text) {
    return parse(text, new Bounds(0, 59, List.of()));
  }

  static CronField hours(String text) {
    return parse(text, new Bounds(0, 23, List.of()));
  }

  static CronField daysOfMonth(String text) {
    return parse(text, new Bounds(1, 31, List.of()));
  }

  static CronField months(String text) {
    return parse(text, new Bounds(1, 12, MONTHS));
  }

  static CronField daysOfWeek(String text) {
    return parse(text, new Bounds(0, 6, DAYS));
  }

  boolean has(int value) {
    return (values & 1L << value) != 0;
  }

  private static CronField parse(String text, Bounds bounds) {
    long values = 0;
    boolean any = false;
    for (var range : text.split(",", -1)) {
      if (!range.isEmpty()) {
        var field = range(range, bounds);
        values |= field.values;
        any |= field.isAny;
      }
    }
    return new CronField(values, any);
  }

  /// As in cron, `n/step` goes on to the end, and a star with a step restricts.
  private static CronField range(String text, Bounds bounds) {
    var stepped = text.split("/", -1);
    var limits = stepped[0].split("-", -1);
    boolean any = limits[0].equals("*") || limits[0].equals("?");
    int start = bounds.min();
    int end = bounds.max();
    if (!any) {
      start = number(limits[0], bounds.min(), bounds.names());
      if (limits.length > 2) {
        throw new IllegalArgumentException("too many hyphens: " + text);
      }
      end = limits.length == 1 ? start : number(limits[1], bounds.min(), bounds.names());
    }
    if (stepped.length > 2) {
      throw new IllegalArgumentException("too many slashes: " + text);
    }
    int step = stepped.length == 1 ? 1 : number(stepped[1], 0, List.of());
    if (stepped.length == 2 && limits.length == 1) {
      end = bounds.max();
    }
    check(start, end, step, text, bounds);
    return new CronField(bits(start, end, step), any && step == 1);
  }

  private static void check(int start, int end, int step, String text, Bounds bounds) {
    if (start < bounds.min()) {
      throw new IllegalArgumentException(
          "beginning of range (%d) below minimum (%d): %s".formatted(start, bounds.min(), text));
    }
    if (end > bounds.max()) {
      throw new IllegalArgumentException(
          "end of range (%d) above maximum (%d): %s".formatted(end, bounds.max(), text));
    }
    if (start > end) {
      throw new IllegalArgumentException(
          "beginning of range (%d) beyond end of range (%d): %s".formatted(start, end, text));
    }
    if (step == 0) {
      throw new IllegalArgumentException("step of range should be a positive number: " + text);
    }
  }

  private static long bits(int start, int end, int step) {
    long bits = 0;
    // A step may be as large as an int.
    for (long value = start; value <= end; value += step) {
      bits |= 1L << value;
    }
    return bits;
  }

  private static int number(String text, int first, List<String> names) {
    int name = names.indexOf(text.toLowerCase(Locale.ROOT));
    if (name >= 0) {
      return first + name;
    }
    try {
      int number = Integer.parseInt(text);
      if (number < 0) {
        throw new IllegalArgumentException(
            "negative number (%d) not allowed: %s".formatted(number, text));
      }
      return number;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "failed to parse int from %s: strconv.Atoi: parsing \"%s\": invalid syntax"
              .formatted(text, text),
          e);
    }
  }
}
