package io.berth.app;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/// A log line for people: `12:01:02.345 WARN Lanes: text`, and of an exception what it is and where
/// it was thrown.
///
/// Texts may come from anybody: what is not printed as a letter is shown as `\n` or `\u001b`, so
/// that nobody writes lines of their own or talks to a terminal.
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
            .append(": ");
    appendPlain(event.getFormattedMessage(), line);
    line.append(System.lineSeparator());
    var thrown = event.getThrowableProxy();
    if (thrown != null) {
      line.append(thrown.getClassName()).append(": ");
      appendPlain(String.valueOf(thrown.getMessage()), line);
      line.append(System.lineSeparator());
      var frames = thrown.getStackTraceElementProxyArray();
      if (frames.length > 0) {
        line.append('\t').append(frames[0].getSTEAsString()).append(System.lineSeparator());
      }
    }
    return line.toString();
  }

  private static void appendPlain(String text, StringBuilder line) {
    text.codePoints()
        .forEach(each -> {
          switch (Character.getType(each)) {
            case Character.CONTROL,
                Character.FORMAT,
                Character.LINE_SEPARATOR,
                Character.PARAGRAPH_SEPARATOR,
                Character.SURROGATE ->
                line.append(escaped(each));
            default -> line.appendCodePoint(each);
          }
        });
  }

  private static String escaped(int character) {
    return switch (character) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> "\\u%04x".formatted(character);
    };
  }
}
