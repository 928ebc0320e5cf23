package io.berth.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/// A log line for people: `12:01:02.345 WARN Lanes: text`, and of an exception what it is and where
/// it was thrown.
final class LogLine extends LayoutBase<ILoggingEvent> {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss.SSS");

  @Override
  public String doLayout(ILoggingEvent event) {
    var logger = event.getLoggerName();
    var line =
        new StringBuilder()
            .append(TIME.format(event.getInstant().atZone(ZoneId.systemDefault())))
            .append(" %-5s ".formatted(event.getLevel()))
            .append(logger, logger.lastIndexOf('.') + 1, logger.length())
            .append(": ")
            .append(event.getFormattedMessage())
            .append(System.lineSeparator());
    var thrown = event.getThrowableProxy();
    if (thrown != null) {
      line.append(thrown.getClassName()).append(": ").append(thrown.getMessage());
      line.append(System.lineSeparator());
      var frames = thrown.getStackTraceElementProxyArray();
      if (frames.length > 0) {
        line.append('\t').append(frames[0].getSTEAsString()).append(System.lineSeparator());
      }
    }
    return line.toString();
  }
}
