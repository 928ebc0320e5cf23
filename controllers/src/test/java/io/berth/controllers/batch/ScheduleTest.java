package io.berth.controllers.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ScheduleTest {

  record Case(String schedule, String from, String expected) {}

  static final List<Case> CASES =
      List.of(
          new Case("* * * * *", "2026-01-01T00:00:30Z", "2026-01-01T00:01Z"),
          new Case("*/15 * * * *", "2026-01-01T00:46:00Z", "2026-01-01T01:00Z"),
          new Case("30 4 * * *", "2026-01-01T04:30:00Z", "2026-01-02T04:30Z"),
          new Case("0 0 29 2 *", "2026-03-01T00:00:00Z", "2028-02-29T00:00Z"),
          new Case("0 0 13 * fri", "2026-01-01T00:00:00Z", "2026-01-02T00:00Z"),
          new Case("0 9 * * 1-5", "2026-01-02T10:00:00Z", "2026-01-05T09:00Z"),
          new Case("0 0 * * 7", "2026-01-01T00:00:00Z", "2026-01-04T00:00Z"),
          new Case("5,10 1 * jan,jul *", "2026-01-31T02:00:00Z", "2026-07-01T01:05Z"),
          new Case("@hourly", "2026-01-01T00:00:00Z", "2026-01-01T01:00Z"),
          new Case("@every 1h30m", "2026-01-01T00:00:30.5Z", "2026-01-01T01:30:30Z"),
          new Case("@every 1.5m", "2026-01-01T00:00:30Z", "2026-01-01T00:02Z"),
          new Case("@every 10ms", "2026-01-01T00:00:30Z", "2026-01-01T00:00:31Z"));

  @ParameterizedTest(name = "{0}")
  @FieldSource("CASES")
  void findsTheNextTime(Case c) {
    var next = Schedule.parse(c.schedule()).next(ZonedDateTime.parse(c.from()));

    assertThat(String.valueOf(next)).isEqualTo(c.expected());
  }

  @Test
  void aPauseRunsFromTheTimeBefore() {
    var since = ZonedDateTime.parse("2026-01-01T00:00:10Z");

    var next = Schedule.parse("@every 7m").next(since, since.plusMinutes(15));

    assertThat(next).isEqualTo("2026-01-01T00:21:10Z");
  }

  @Test
  void refusesWhatIsNoSchedule() {
    assertThatThrownBy(() -> Schedule.parse("* * * *")).hasMessageContaining("exactly 5 fields");
    assertThatThrownBy(() -> Schedule.parse("61 * * * *")).hasMessageContaining("between 0 and 59");
    for (var pause : List.of("", "1", "1h x", "99999999999h", "1d")) {
      assertThatThrownBy(() -> Schedule.parse("@every " + pause))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
