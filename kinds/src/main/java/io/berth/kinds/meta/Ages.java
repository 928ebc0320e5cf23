package io.berth.kinds.meta;

import java.time.Duration;
import java.time.Instant;

/// Durations as kubectl shows them: two units at most, the second only while the first is small.
public final class Ages {

  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final long YEAR = 365 * DAY;

  private Ages() {}

  public static String between(Instant start, Instant end) {
    return of(Duration.between(start, end));
  }

  public static String of(Duration duration) {
    // Clocks differ a little between machines: two seconds in the future are now.
    long seconds = duration.isNegative() ? -duration.negated().toSeconds() : duration.toSeconds();
    if (seconds < -1) {
      return "<invalid>";
    }
    if (seconds < 0) {
      return "0s";
    }
    if (seconds < 2 * MINUTE) {
      return seconds + "s";
    }
    if (seconds < 10 * MINUTE) {
      return two(seconds, MINUTE, "m", 1, "s");
    }
    if (seconds < 3 * HOUR) {
      return seconds / MINUTE + "m";
    }
    if (seconds < 8 * HOUR) {
      return two(seconds, HOUR, "h", MINUTE, "m");
    }
    if (seconds < 2 * DAY) {
      return seconds / HOUR + "h";
    }
    if (seconds < 8 * DAY) {
      return two(seconds, DAY, "d", HOUR, "h");
    }
    if (seconds < 2 * YEAR) {
      return seconds / DAY + "d";
    }
    if (seconds < 8 * YEAR) {
      return two(seconds, YEAR, "y", DAY, "d");
    }
    return seconds / YEAR + "y";
  }

  private static String two(long seconds, long unit, String name, long below, String belowName) {
    long rest = seconds % unit / below;
    return seconds / unit + name + (rest == 0 ? "" : rest + belowName);
  }
}
