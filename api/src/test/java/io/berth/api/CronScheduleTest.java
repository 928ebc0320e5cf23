package io.berth.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class CronScheduleTest {

  record Case(String schedule, String from, String expected) {}

  static final List<Case> CASES =
      List.of(
          new Case("* * * * *", "2026-01-01T00:00:30Z", "2026-01-01T00:01Z"),
          new Case("*/15 * * * *", "2026-01-01T00:46:00Z", "2026-01-01T01:00Z"),
          new Case("30 4 * * *", "2026-01-01T04:30:00Z", "2026-01-02T04:30Z"),
          new Case("0 0 29 2 *", "2026-03-01T00:00:00Z", "2028-02-29T00:00Z"),
          new Case("0 0 13 * fri", "2026-01-01T00:00:00Z", "2026-01-02T00:00Z"),
          new Case("0 9 * * 1-5", "2026-01-02T10:00:00Z", "2026-01-05T09:00Z"),
          new Case("0 0 * * 0", "2026-01-01T00:00:00Z", "2026-01-04T00:00Z"),
          new Case("0 0 */2 * mon", "2026-01-01T00:00:00Z", "2026-01-03T00:00Z"),
          new Case("0 0 */1 * mon", "2026-01-01T00:00:00Z", "2026-01-05T00:00Z"),
          new Case("10/20 * * * *", "2026-01-01T00:31:00Z", "2026-01-01T00:50Z"),
          new Case("5,,10 0 * * *", "2026-01-01T00:06:00Z", "2026-01-01T00:10Z"),
          new Case("0 0 30 2 *", "2026-01-01T00:00:00Z", "null"),
          new Case("TZ=Asia/Tokyo 0 9 * * *", "2026-01-01T00:00:00Z", "2026-01-02T00:00Z"),
          new Case("5,10 1 * jan,jul *", "2026-01-31T02:00:00Z", "2026-07-01T01:05Z"),
          new Case("@hourly", "2026-01-01T00:00:00Z", "2026-01-01T01:00Z"),
          new Case("@every 1h30m", "2026-01-01T00:00:30.5Z", "2026-01-01T01:30:30Z"),
          new Case("@every 1.5m", "2026-01-01T00:00:30Z", "2026-01-01T00:02Z"),
          new Case("@every 10ms", "2026-01-01T00:00:30Z", "2026-01-01T00:00:31Z"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void findsTheNextTime(Case c) {
    var next = CronSchedule.parse(c.schedule()).next(ZonedDateTime.parse(c.from()));

    assertThat(String.valueOf(next)).isEqualTo(c.expected());
  }

  @Test
  void aPauseRunsFromTheTimeBefore() {
    var since = ZonedDateTime.parse("2026-01-01T00:00:10Z");

    var next = CronSchedule.parse("@every 7m").next(since, since.plusMinutes(15));

    assertThat(next).isEqualTo("2026-01-01T00:21:10Z");
  }

  record Wrong(String schedule, String message) {}

  static final List<Wrong> WRONG =
      List.of(
          new Wrong("", "empty spec string"),
          new Wrong("* * * *", "expected exactly 5 fields, found 4: [* * * *]"),
          new Wrong("61 * * * *", "end of range (61) above maximum (59): 61"),
          new Wrong("* * 0 * *", "beginning of range (0) below minimum (1): 0"),
          new Wrong("* * * * 7", "end of range (7) above maximum (6): 7"),
          new Wrong("5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"),
          new Wrong("*/0 * * * *", "step of range should be a positive number: */0"),
          new Wrong("70/0 * * * *", "beginning of range (70) beyond end of range (59): 70/0"),
          new Wrong("1-2-3 * * * *", "too many hyphens: 1-2-3"),
          new Wrong("1/2/3 * * * *", "too many slashes: 1/2/3"),
          new Wrong(
              "-1 * * * *",
              "failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax"),
          new Wrong("@Hourly", "unrecognized descriptor: @Hourly"),
          new Wrong(
              "TZ=Nowhere * * * * *", "provided bad location Nowhere: unknown time zone Nowhere"),
          new Wrong("@every ", "failed to parse duration @every : time: invalid duration \"\""),
          new Wrong(
              "@every 1",
              "failed to parse duration @every 1: time: missing unit in duration \"1\""),
          new Wrong(
              "@every 1d",
              "failed to parse duration @every 1d: time: unknown unit \"d\" in duration \"1d\""),
          new Wrong(
              "@every 99999999h",
              "failed to parse duration @every 99999999h: time: invalid duration \"99999999h\""));

  @ParameterizedTest(name = "{0}")
  @FieldSource("WRONG")
  void refusesWhatIsNoSchedule(Wrong c) {
    assertThatThrownBy(() -> CronSchedule.parse(c.schedule()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(c.message());
  }
}
