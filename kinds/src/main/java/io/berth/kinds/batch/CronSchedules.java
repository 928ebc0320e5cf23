package io.berth.kinds.batch;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The form of cron schedules, with the complaints Kubernetes has about bad ones.
final class CronSchedules {

  private static final Set<String> DESCRIPTORS =
      Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
  private static final List<Bounds> FIELDS =
      List.of(
          new Bounds(0, 59, List.of()),
          new Bounds(0, 23, List.of()),
          new Bounds(1, 31, List.of()),
          new Bounds(1, 12, MONTHS),
          new Bounds(0, 6, DAYS));

  private record Bounds(int min, int max, List<String> names) {}

  private CronSchedules() {}

  /// Throws an [IllegalArgumentException] when this is no schedule.
  static void check(String schedule) {
    var spec = schedule;
    if (spec.startsWith("TZ=") || spec.startsWith("CRON_TZ=")) {
      int space = spec.indexOf(' ');
      spec = space < 0 ? "" : spec.substring(space).strip();
    }
    if (spec.isEmpty()) {
      throw new IllegalArgumentException("empty spec string");
    }
    if (spec.startsWith("@")) {
      checkDescriptor(spec);
      return;
    }
    var fields = spec.isBlank() ? List.<String>of() : List.of(spec.strip().split("\\s+"));
    if (fields.size() != FIELDS.size()) {
      throw new IllegalArgumentException(
          "expected exactly 5 fields, found %d: [%s]"
              .formatted(fields.size(), String.join(" ", fields)));
    }
    for (int i = 0; i < fields.size(); i++) {
      for (var range : fields.get(i).split(",", -1)) {
        checkRange(range, FIELDS.get(i));
      }
    }
  }

  private static void checkDescriptor(String spec) {
    if (spec.startsWith("@every ")) {
      var duration = spec.substring("@every ".length());
      if (!duration.matches("([0-9]+(\\.[0-9]*)?(ns|us|ms|s|m|h))+")) {
        throw new IllegalArgumentException(
            "failed to parse duration %s: time: invalid duration \"%s\"".formatted(spec, duration));
      }
    } else if (!DESCRIPTORS.contains(spec)) {
      throw new IllegalArgumentException("unrecognized descriptor: " + spec);
    }
  }

  private static void checkRange(String text, Bounds bounds) {
    var stepped = text.split("/", -1);
    var limits = stepped[0].split("-", -1);
    int start;
    int end;
    if (limits[0].equals("*") || limits[0].equals("?")) {
      start = bounds.min();
      end = bounds.max();
    } else {
      start = number(limits[0], bounds);
      if (limits.length > 2) {
        throw new IllegalArgumentException("too many hyphens: " + text);
      }
      end = limits.length == 1 ? start : number(limits[1], bounds);
    }
    if (stepped.length > 2) {
      throw new IllegalArgumentException("too many slashes: " + text);
    }
    if (stepped.length == 2) {
      if (number(stepped[1], new Bounds(0, 0, List.of())) == 0) {
        throw new IllegalArgumentException("step of range should be a positive number: " + text);
      }
      if (limits.length == 1 && !limits[0].equals("*") && !limits[0].equals("?")) {
        end = bounds.max();
      }
    }
    checkLimits(start, end, text, bounds);
  }

  private static void checkLimits(int start, int end, String text, Bounds bounds) {
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
  }

  private static int number(String text, Bounds bounds) {
    int name = bounds.names().indexOf(text.toLowerCase(Locale.ROOT));
    if (name >= 0) {
      return bounds.min() + name;
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
