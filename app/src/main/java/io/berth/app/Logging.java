package io.berth.app;

import java.util.List;

/// Sends log lines to standard error: readable by default, JSON with `--log-format=json`.
///
/// Only chooses; [LogConfigurator] sets the library up, when the first command logs, so that the
/// others start without it.
final class Logging {

  static final String FORMAT = "berth.log.format";
  static final String LEVEL = "berth.log.level";

  private Logging() {}

  static void configure(List<String> arguments) {
    System.setProperty(FORMAT, format(arguments));
    System.setProperty(LEVEL, level(arguments));
  }

  private static String format(List<String> arguments) {
    int at = arguments.indexOf("--log-format");
    var json =
        arguments.contains("--log-format=json")
            || (at >= 0 && at + 1 < arguments.size() && arguments.get(at + 1).equals("json"));
    return json ? "json" : "text";
  }

  private static String level(List<String> arguments) {
    if (arguments.contains("--verbose") || arguments.contains("-v")) {
      return "DEBUG";
    }
    return arguments.contains("--quiet") || arguments.contains("-q") ? "WARN" : "INFO";
  }
}
