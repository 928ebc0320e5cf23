package io.berth.api;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;

/// Durations as Go reads them: `1h30m`, `1.5s`, `-10ms`.
///
/// Mirrors: time.ParseDuration
public final class GoDuration {

  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);
  private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private final String text;
  private int at;

  private GoDuration(String text) {
    this.text = text;
  }

  /// Throws an [IllegalArgumentException] in Go's words when this is no duration.
  public static Duration parse(String text) {
    return new GoDuration(text).parse();
  }

  private Duration parse() {
    boolean negative = text.startsWith("-");
    at = negative || text.startsWith("+") ? 1 : 0;
    if (text.substring(at).equals("0")) {
      return Duration.ZERO;
    }
    if (at == text.length()) {
      throw invalid();
    }
    var nanos = BigDecimal.ZERO;
    while (at < text.length()) {
      nanos = nanos.add(part());
      if (nanos.compareTo(LONGEST) > 0) {
        throw invalid();
      }
    }
    long whole = nanos.longValue();
    return Duration.ofNanos(negative ? -whole : whole);
  }

  private BigDecimal part() {
    int from = at;
    skip("0123456789");
    int digits = at - from;
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      int fraction = at;
      skip("0123456789");
      digits += at - fraction;
    }
    if (digits == 0) {
      throw invalid();
    }
    var number = text.substring(from, at);
    var unit = unit();
    return new BigDecimal(number.endsWith(".") ? number + "0" : number)
        .multiply(BigDecimal.valueOf(unit));
  }

  private long unit() {
    int from = at;
    while (at < text.length() && ".0123456789".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    var unit = text.substring(from, at);
    if (unit.isEmpty()) {
      throw new IllegalArgumentException("time: missing unit in duration \"" + text + "\"");
    }
    var nanos = NANOS.get(unit);
    if (nanos == null) {
      throw new IllegalArgumentException(
          "time: unknown unit \"%s\" in duration \"%s\"".formatted(unit, text));
    }
    return nanos;
  }

  private void skip(String characters) {
    while (at < text.length() && characters.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private IllegalArgumentException invalid() {
    return new IllegalArgumentException("time: invalid duration \"" + text + "\"");
  }
}
