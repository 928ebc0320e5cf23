package io.berth.api;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A cron schedule: five fields (minute, hour, day of month, month, day of week), a word such as
/// `@hourly`, or a pause such as `@every 1h30m`, which runs from the time before and not by the
/// clock.
///
/// As in cron, when both days are restricted either of them is enough.
///
/// Mirrors: robfig/cron.ParseStandard, SpecSchedule.Next, ConstantDelaySchedule.Next
public final class CronSchedule {

  private static final int YEARS_AHEAD = 5;
  private static final String EVERY = "@every ";
  private static final List<String> ANY = List.of("*", "*", "*", "*", "*");

  private final CronField minutes;
  private final CronField hours;
  private final CronField daysOfMonth;
  private final CronField months;
  private final CronField daysOfWeek;
  private final @Nullable Duration pause;
  private final @Nullable ZoneId zone;

  private CronSchedule(List<String> fields, @Nullable Duration pause, @Nullable ZoneId zone) {
    this.minutes = CronField.minutes(fields.get(0));
    this.hours = CronField.hours(fields.get(1));
    this.daysOfMonth = CronField.daysOfMonth(fields.get(2));
    this.months = CronField.months(fields.get(3));
    this.daysOfWeek = CronField.daysOfWeek(fields.get(4));
    this.pause = pause;
    this.zone = zone;
  }

  /// Throws an [IllegalArgumentException] in Kubernetes' words when this is no schedule.
  public static CronSchedule parse(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("empty spec string");
    }
    if (!text.startsWith("TZ=") && !text.startsWith("CRON_TZ=")) {
      return parse(text, null);
    }
    int space = text.indexOf(' ');
    if (space < 0) {
      throw new IllegalArgumentException("empty spec string");
    }
    var zone = zone(text.substring(text.indexOf('=') + 1, space));
    return parse(text.substring(space).strip(), zone);
  }

  private static CronSchedule parse(String spec, @Nullable ZoneId zone) {
    if (spec.startsWith(EVERY)) {
      return new CronSchedule(ANY, pause(spec), zone);
    }
    var written = spec.startsWith("@") ? ofWord(spec) : spec;
    var fields = written.isBlank() ? List.<String>of() : List.of(written.strip().split("\\s+"));
    if (fields.size() != ANY.size()) {
      throw new IllegalArgumentException(
          "expected exactly 5 fields, found %d: [%s]"
              .formatted(fields.size(), String.join(" ", fields)));
    }
    return new CronSchedule(fields, null, zone);
  }

  private static String ofWord(String word) {
    return switch (word) {
      case "@yearly", "@annually" -> "0 0 1 1 *";
      case "@monthly" -> "0 0 1 * *";
      case "@weekly" -> "0 0 * * 0";
      case "@daily", "@midnight" -> "0 0 * * *";
      case "@hourly" -> "0 * * * *";
      default -> throw new IllegalArgumentException("unrecognized descriptor: " + word);
    };
  }

  /// Whole seconds, and one at least.
  private static Duration pause(String spec) {
    try {
      var pause = GoDuration.parse(spec.substring(EVERY.length()));
      return Duration.ofSeconds(Math.max(1, pause.toSeconds()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "failed to parse duration %s: %s".formatted(spec, e.getMessage()), e);
    }
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name.isEmpty() ? "UTC" : name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "provided bad location %s: unknown time zone %s".formatted(name, name), e);
    }
  }

  /// The first time after `time`, or `null` when there is none within five years.
  public @Nullable ZonedDateTime next(ZonedDateTime time) {
    if (pause != null) {
      return time.truncatedTo(ChronoUnit.SECONDS).plus(pause);
    }
    var local = zone == null ? time : time.withZoneSameInstant(zone);
    var at = local.truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
    var end = local.plusYears(YEARS_AHEAD);
    while (at.isBefore(end)) {
      if (!months.has(at.getMonthValue())) {
        at = at.plusMonths(1).withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS);
      } else if (!isDay(at)) {
        at = at.plusDays(1).truncatedTo(ChronoUnit.DAYS);
      } else if (!hours.has(at.getHour())) {
        at = at.truncatedTo(ChronoUnit.HOURS).plusHours(1);
      } else if (!minutes.has(at.getMinute())) {
        at = at.plusMinutes(1);
      } else {
        return at.withZoneSameInstant(time.getZone());
      }
    }
    return null;
  }

  /// The first time after `now` of all that follow `since`.
  public @Nullable ZonedDateTime next(ZonedDateTime since, ZonedDateTime now) {
    var first = next(since);
    if (first == null || first.isAfter(now)) {
      return first;
    }
    return pause == null
        ? next(now)
        : first.plus(pause.multipliedBy(Duration.between(first, now).dividedBy(pause) + 1));
  }

  private boolean isDay(ZonedDateTime at) {
    boolean ofMonth = daysOfMonth.has(at.getDayOfMonth());
    boolean ofWeek = daysOfWeek.has(at.getDayOfWeek().getValue() % 7);
    boolean either = !daysOfMonth.isAny() && !daysOfWeek.isAny();
    return either ? ofMonth || ofWeek : ofMonth && ofWeek;
  }
}
