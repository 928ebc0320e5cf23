package io.berth.app;

import java.util.List;

/// Sends log lines to standard error: readable by default, JSON with `--log-format=json`.
///
/// Only chooses; the library itself is loaded by the first command that logs, so that the others
/// start without it.
final class Logging {

  private Logging() {}

  static void configure(List<String> arguments) {
    System.setProperty("berth.log.format", format(arguments));
    System.setProperty("berth.log.level", level(arguments));
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
