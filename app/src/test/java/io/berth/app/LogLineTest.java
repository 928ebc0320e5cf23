package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LogLineTest {

  private static final String TIME = "\\d\\d:\\d\\d:\\d\\d\\.\\d\\d\\d";

  @Test
  void namesTimeLevelAndPlace() {
    assertThat(line(Level.WARN, null)).matches(TIME + " WARN  Lanes: 3 of 4 are full\\R");
  }

  @Test
  void ofAnExceptionOnlyWhatAndWhere() {
    assertThat(line(Level.ERROR, new IllegalStateException("no disk")).lines())
        .hasSize(3)
        .satisfies(lines -> {
          assertThat(lines.get(0)).endsWith("ERROR Lanes: 3 of 4 are full");
          assertThat(lines.get(1)).isEqualTo("java.lang.IllegalStateException: no disk");
          assertThat(lines.get(2)).startsWith("\tat io.berth.app.LogLineTest.");
        });
  }

  @Test
  void nobodyWritesLinesOfTheirOwn() {
    var forged = "a\nb\r12:00:00.000 INFO  Audit: all is well\u001b[2J\u2028\u202e\u0085\t\\n é 😀";
    var shown =
        "a\\nb\\r12:00:00.000 INFO  Audit: all is well\\u001b[2J\\u2028\\u202e\\u0085\\t\\n é 😀";

    assertThat(line(Level.WARN, "path {}", null, forged))
        .endsWith("path " + shown + "\n")
        .hasLineCount(1);
    assertThat(line(Level.WARN, forged, null)).endsWith(": " + shown + "\n").hasLineCount(1);
    assertThat(line(Level.WARN, "x", new IllegalStateException(forged)).lines().toList())
        .hasSize(3)
        .element(1)
        .isEqualTo("java.lang.IllegalStateException: " + shown);
  }

  private static String line(Level level, @Nullable Throwable thrown) {
    return line(level, "{} of {} are full", thrown, 3, 4);
  }

  private static String line(
      Level level, String message, @Nullable Throwable thrown, Object... values) {
    var logger = new LoggerContext().getLogger("io.berth.server.Lanes");
    var event =
        new LoggingEvent(LogLineTest.class.getName(), logger, level, message, thrown, values);
    return new LogLine().doLayout(event);
  }
}
