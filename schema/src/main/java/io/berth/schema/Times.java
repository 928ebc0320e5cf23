package io.berth.schema;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;

/// Times as Kubernetes reads and writes them, with the error texts of Go's parser.
public final class Times {

  private static final String SECONDS = "2006-01-02T15:04:05Z07:00";
  private static final String MICROS = "2006-01-02T15:04:05.000000Z07:00";

  private final String text;
  private final String layout;
  private int at;

  private Times(String text, String layout) {
    this.text = text;
    this.layout = layout;
  }

  /// `2024-01-01T00:00:00Z`: in UTC, without a fraction.
  static String seconds(String text) {
    return isPlainUtc(text) ? text : format(new Times(text, SECONDS).parse(), false);
  }

  /// `2024-01-01T00:00:00.000000Z`: in UTC, with microseconds.
  static String micros(String text) {
    return format(new Times(text, MICROS).parse(), true);
  }

  /// The instant in UTC, with or without microseconds.
  public static String format(Instant instant, boolean micros) {
    var time = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    var text = new StringBuilder(27);
    padded(text, time.getYear(), 4).append('-');
    padded(text, time.getMonthValue(), 2).append('-');
    padded(text, time.getDayOfMonth(), 2).append('T');
    padded(text, time.getHour(), 2).append(':');
    padded(text, time.getMinute(), 2).append(':');
    padded(text, time.getSecond(), 2);
    if (micros) {
      padded(text.append('.'), time.get(ChronoField.MICRO_OF_SECOND), 6);
    }
    return text.append('Z').toString();
  }

  /// The instant of a time in canonical form.
  public static Instant instant(String canonical) {
    return new Times(canonical, canonical.length() > 20 ? MICROS : SECONDS).parse();
  }

  private static StringBuilder padded(StringBuilder text, int value, int width) {
    var digits = Integer.toString(value);
    return text.repeat('0', Math.max(0, width - digits.length())).append(digits);
  }

  // What Kubernetes itself writes needs no parsing when its digits are in range for every month.
  private static boolean isPlainUtc(String text) {
    if (text.length() != 20 || text.charAt(19) != 'Z') {
      return false;
    }
    for (int i = 0; i < 19; i++) {
      char wanted = "dddd-dd-ddTdd:dd:dd".charAt(i);
      char c = text.charAt(i);
      if (wanted == 'd' ? c < '0' || c > '9' : c != wanted) {
        return false;
      }
    }
    return inRange(text, 5, 1, 12)
        && inRange(text, 8, 1, 28)
        && inRange(text, 11, 0, 23)
        && inRange(text, 14, 0, 59)
        && inRange(text, 17, 0, 59);
  }

  private static boolean inRange(String text, int from, int low, int high) {
    int value = (text.charAt(from) - '0') * 10 + text.charAt(from + 1) - '0';
    return value >= low && value <= high;
  }

  private Instant parse() {
    int year = number("2006", 4);
    literal("-");
    int month = number("01", 2);
    checkRange(month >= 1 && month <= 12, "month");
    literal("-");
    int day = number("02", 2);
    literal("T");
    int hour = number("15", 2);
    checkRange(hour < 24, "hour");
    literal(":");
    int minute = number("04", 2);
    checkRange(minute < 60, "minute");
    literal(":");
    int second = number("05", 2);
    checkRange(second < 60, "second");
    int nanos = fraction();
    int offsetSeconds = zone();
    if (at < text.length()) {
      throw new IllegalArgumentException(
          "parsing time %s: extra text: %s".formatted(quoted(text), quoted(text.substring(at))));
    }
    var first = LocalDate.of(year, month, 1);
    checkRange(day >= 1 && day <= first.lengthOfMonth(), "day");
    var local = first.withDayOfMonth(day).atTime(hour, minute, second, nanos);
    return local.toInstant(ZoneOffset.UTC).minusSeconds(offsetSeconds);
  }

  private int number(String element, int width) {
    int value = 0;
    for (int i = 0; i < width; i++) {
      int digit = at + i < text.length() ? text.charAt(at + i) - '0' : -1;
      if (digit < 0 || digit > 9) {
        throw cannotParse(at, element);
      }
      value = value * 10 + digit;
    }
    at += width;
    return value;
  }

  private void literal(String element) {
    if (!text.startsWith(element, at)) {
      throw cannotParse(at, element);
    }
    at += element.length();
  }

  private int fraction() {
    if (layout.equals(MICROS)) {
      return microFraction();
    }
    int end = at + 1;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    if (at >= text.length()
        || (text.charAt(at) != '.' && text.charAt(at) != ',')
        || end == at + 1) {
      return 0;
    }
    int nanos = 0;
    for (int i = 0; i < 9; i++) {
      nanos = nanos * 10 + (at + 1 + i < end ? text.charAt(at + 1 + i) - '0' : 0);
    }
    at = end;
    return nanos;
  }

  private int microFraction() {
    int start = at;
    if (at + 7 > text.length() || (text.charAt(at) != '.' && text.charAt(at) != ',')) {
      throw cannotParse(start, ".000000");
    }
    int micros = 0;
    for (int i = 1; i <= 6; i++) {
      int digit = text.charAt(at + i) - '0';
      if (digit < 0 || digit > 9) {
        throw cannotParse(start, ".000000");
      }
      micros = micros * 10 + digit;
    }
    at += 7;
    return micros * 1000;
  }

  private int zone() {
    if (text.startsWith("Z", at)) {
      at++;
      return 0;
    }
    int start = at;
    if (at + 6 > text.length()
        || (text.charAt(at) != '+' && text.charAt(at) != '-')
        || text.charAt(at + 3) != ':') {
      throw cannotParse(start, "Z07:00");
    }
    int sign = text.charAt(at) == '-' ? -1 : 1;
    int hours = twoDigits(at + 1, start);
    int minutes = twoDigits(at + 4, start);
    checkRange(hours <= 24, "time zone offset hour");
    checkRange(minutes < 60, "time zone offset minute");
    at += 6;
    return sign * (hours * 3600 + minutes * 60);
  }

  private int twoDigits(int from, int start) {
    int tens = text.charAt(from) - '0';
    int ones = text.charAt(from + 1) - '0';
    if (tens < 0 || tens > 9 || ones < 0 || ones > 9) {
      throw cannotParse(start, "Z07:00");
    }
    return tens * 10 + ones;
  }

  private void checkRange(boolean inRange, String what) {
    if (!inRange) {
      throw new IllegalArgumentException(
          "parsing time %s: %s out of range".formatted(quoted(text), what));
    }
  }

  private IllegalArgumentException cannotParse(int from, String element) {
    return new IllegalArgumentException(
        "parsing time %s as %s: cannot parse %s as %s"
            .formatted(
                quoted(text), quoted(layout), quoted(text.substring(from)), quoted(element)));
  }

  private static String quoted(String text) {
    return "\"" + text + "\"";
  }
}
