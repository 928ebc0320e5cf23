package io.berth.codec;

import java.util.regex.Pattern;

/// Durations as Go writes them: `1h30m`, `15s`, `500ms`.
final class Durations {

  private static final Pattern WHOLE =
      Pattern.compile("(?:[0-9]+(?:\\.[0-9]+)?(?:ns|us|µs|ms|s|m|h))++|0");
  private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ns|us|µs|ms|s|m|h)");

  private Durations() {}

  static long millis(Fields fields, String field, long absent) {
    var text = fields.textOrNull(field);
    if (text == null) {
      return absent;
    }
    if (text.length() > 64 || !WHOLE.matcher(text).matches()) {
      throw fields.wrong(field, "\"" + text + "\" is no duration; write it like 15s or 1m30s");
    }
    double millis = 0;
    var parts = PART.matcher(text);
    while (parts.find()) {
      millis += Double.parseDouble(parts.group(1)) * unitMillis(parts.group(2));
    }
    return Math.round(millis);
  }

  private static double unitMillis(String unit) {
    return switch (unit) {
      case "h" -> 3_600_000;
      case "m" -> 60_000;
      case "s" -> 1_000;
      case "ms" -> 1;
      case "us", "µs" -> 1e-3;
      default -> 1e-6;
    };
  }
}
