package io.berth.controllers.batch;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A cron schedule: five fields (minute, hour, day of month, month, day of week), a word such as
/// `@hourly`, or a pause such as `@every 1h30m`, which runs from the time before and not by the
/// clock.
///
/// As in cron, when both days are restricted either of them is enough.
final class Schedule {

  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
  private static final int YEARS_AHEAD = 5;
  private static final String EVERY = "@every ";
  private static final BigDecimal LONGEST_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final String[] ANY = {"*", "*", "*", "*", "*"};
  private static final Pattern PART = Pattern.compile("(\\d+\\.?\\d*)(ns|us|ms|s|m|h)");

  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet daysOfMonth;
  private final BitSet months;
  private final BitSet daysOfWeek;
  private final boolean eitherDay;
  private final @Nullable Duration pause;

  private Schedule(String[] fields, @Nullable Duration pause) {
    this.pause = pause;
    this.minutes = field(fields[0], 0, 59, List.of());
    this.hours = field(fields[1], 0, 23, List.of());
    this.daysOfMonth = field(fields[2], 1, 31, List.of());
    this.months = field(fields[3], 1, 12, MONTHS);
    this.daysOfWeek = field(fields[4], 0, 7, DAYS);
    if (daysOfWeek.get(7)) {
      daysOfWeek.set(0);
    }
    this.eitherDay = !isAny(fields[2]) && !isAny(fields[4]);
  }

  /// Throws an [IllegalArgumentException] that names the field it cannot read.
  static Schedule parse(String text) {
    var expanded =
        switch (text.strip().toLowerCase(Locale.ROOT)) {
          case "@yearly", "@annually" -> "0 0 1 1 *";
          case "@monthly" -> "0 0 1 * *";
          case "@weekly" -> "0 0 * * 0";
          case "@daily", "@midnight" -> "0 0 * * *";
          case "@hourly" -> "0 * * * *";
          default -> text.strip();
        };
    if (expanded.startsWith(EVERY)) {
      return new Schedule(ANY, pause(expanded));
    }
    var fields = expanded.split("\\s+", -1);
    if (fields.length != 5) {
      throw new IllegalArgumentException(
          "expected exactly 5 fields, found %d: \"%s\"".formatted(fields.length, text));
    }
    return new Schedule(fields, null);
  }

  /// The first time after `time`, or `null` when there is none within five years.
  @Nullable ZonedDateTime next(ZonedDateTime time) {
    if (pause != null) {
      return time.truncatedTo(ChronoUnit.SECONDS).plus(pause);
    }
    var at = time.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    var end = time.plusYears(YEARS_AHEAD);
    while (at.isBefore(end)) {
      if (!months.get(at.getMonthValue())) {
        at = at.plusMonths(1).withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS);
      } else if (!matchesDay(at)) {
        at = at.plusDays(1).truncatedTo(ChronoUnit.DAYS);
      } else if (!hours.get(at.getHour())) {
        at = at.truncatedTo(ChronoUnit.HOURS).plusHours(1);
      } else if (!minutes.get(at.getMinute())) {
        at = at.plusMinutes(1);
      } else {
        return at;
      }
    }
    return null;
  }

  /// The first time after `now` of all that follow `since`.
  @Nullable ZonedDateTime next(ZonedDateTime since, ZonedDateTime now) {
    var first = next(since);
    if (first == null || first.isAfter(now)) {
      return first;
    }
    return pause == null
        ? next(now)
        : first.plus(pause.multipliedBy(Duration.between(first, now).dividedBy(pause) + 1));
  }

  private static Duration pause(String text) {
    var amount = text.substring(EVERY.length());
    var nanos = BigDecimal.ZERO;
    var at = 0;
    for (var part = PART.matcher(amount); part.find() && part.start() == at; at = part.end()) {
      var unit =
          switch (part.group(2)) {
            case "ns" -> 1;
            case "us" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
          };
      nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    if (at == 0 || at < amount.length() || nanos.compareTo(LONGEST_NANOS) > 0) {
      throw new IllegalArgumentException(
          "failed to parse duration %s: time: invalid duration \"%s\"".formatted(text, amount));
    }
    // Whole seconds, and one at least.
    return Duration.ofSeconds(Math.max(1, nanos.longValue() / 1_000_000_000));
  }

  private boolean matchesDay(ZonedDateTime at) {
    var ofMonth = daysOfMonth.get(at.getDayOfMonth());
    var ofWeek = daysOfWeek.get(at.getDayOfWeek().getValue() % 7);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  private static boolean isAny(String field) {
    return field.startsWith("*") || field.startsWith("?");
  }

  private static BitSet field(String text, int min, int max, List<String> names) {
    var set = new BitSet();
    for (var part : text.split(",", -1)) {
      var step = part.split("/", 2);
      var every = step.length == 1 ? 1 : number(step[1], List.of(), text);
      int from = min;
      int to = max;
      if (!isAny(step[0])) {
        var range = step[0].split("-", 2);
        from = number(range[0], names, text);
        to = range.length == 2 ? number(range[1], names, text) : step.length == 2 ? max : from;
      }
      if (from < min || to > max || from > to || every < 1) {
        throw new IllegalArgumentException(
            "\"%s\" is not between %d and %d".formatted(text, min, max));
      }
      for (int value = from; value <= to; value += every) {
        set.set(value);
      }
    }
    return set;
  }

  private static int number(String text, List<String> names, String field) {
    var named = names.indexOf(text.toLowerCase(Locale.ROOT));
    if (named >= 0) {
      return names.equals(MONTHS) ? named + 1 : named;
    }
    if (!text.matches("\\d{1,4}")) {
      throw new IllegalArgumentException("failed to parse int from \"%s\"".formatted(field));
    }
    return Integer.parseInt(text);
  }
}
