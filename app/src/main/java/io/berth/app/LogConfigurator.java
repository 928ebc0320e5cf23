package io.berth.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;

/// Sets the logging library up as [Logging] chose; the library finds this class as a service.
///
/// By hand, because reading an XML file for it takes an eighth of the start of `berth up`. A file
/// named by `-Dlogback.configurationFile` wins.
public final class LogConfigurator extends ContextAwareBase implements Configurator {

  private static final List<String> CHATTY = List.of("org.eclipse.jetty", "io.fabric8");

  @Override
  public ExecutionStatus configure(LoggerContext logs) {
    if (System.getProperty("logback.configurationFile") != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(logs);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder(logs));
    appender.start();
    for (var name : CHATTY) {
      logs.getLogger(name).setLevel(Level.WARN);
    }
    var root = logs.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.toLevel(System.getProperty(Logging.LEVEL), Level.INFO));
    root.addAppender(appender);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static Encoder<ILoggingEvent> encoder(LoggerContext logs) {
    if ("json".equals(System.getProperty(Logging.FORMAT))) {
      var json = new JsonEncoder();
      json.setContext(logs);
      json.start();
      return json;
    }
    var layout = new LogLine();
    layout.setContext(logs);
    layout.start();
    var text = new LayoutWrappingEncoder<ILoggingEvent>();
    text.setContext(logs);
    text.setLayout(layout);
    text.start();
    return text;
  }
}
