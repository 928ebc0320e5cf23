package io.berth.workloads.org;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// Lengths of time as node pools write them: `5d8h40m`.
public final class Durations {

  private static final Pattern WHOLE = Pattern.compile("([0-9]{1,9}(ns|us|ms|[smhdw]))++");
  private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ns|us|ms|[smhdw])");

  /// What times of the past and future can be reckoned with.
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final int MAX_LENGTH = 64;

  private Durations() {}

  /// Whether a length of time is none at all, or neither too short nor too long to reckon with.
  static boolean isSensible(Duration duration) {
    return duration.isZero() || duration.equals(clamped(duration));
  }

  /// What a text says, or the nearest that makes sense; nothing if it is no length of time.
  public static Optional<Duration> findSensible(String text) {
    return find(text).map(Durations::clamped);
  }

  private static Duration clamped(Duration duration) {
    if (duration.isZero()) {
      return duration;
    }
    return duration.compareTo(LONGEST) > 0
        ? LONGEST
        : duration.compareTo(SHORTEST) < 0 ? SHORTEST : duration;
  }

  /// Empty if it is no length of time.
  static Optional<Duration> find(String text) {
    if (text.length() > MAX_LENGTH || !WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    var total = Duration.ZERO;
    for (var matcher = PART.matcher(text); matcher.find(); ) {
      total = total.plus(part(Long.parseLong(matcher.group(1)), matcher.group(2)));
    }
    return Optional.of(total);
  }

  private static Duration part(long number, String unit) {
    return switch (unit) {
      case "ns" -> Duration.ofNanos(number);
      case "us" -> Duration.ofNanos(1000 * number);
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      case "d" -> Duration.ofDays(number);
      default -> Duration.ofDays(7 * number);
    };
  }
}
