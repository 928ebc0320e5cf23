package io.berth.schema.cel;

import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import java.util.ArrayList;
import java.util.List;

/// What is wrong with an expression, in the words of Kubernetes and with the place shown.
///
/// Every damaged character is an error of its own, and each shows its line: as in Kubernetes, a
/// hundred of them are told, and lines up to a length. All of it has a bound too.
final class Issues {

  private static final int MOST = 100;
  private static final int LONGEST_LINE = 16_384;
  private static final int MOST_CHARACTERS = 256 * 1024;

  private static final String CANDIDATES = " (candidates: ";
  private static final List<String> SYNTAX =
      List.of(
          "mismatched input",
          "extraneous input",
          "no viable alternative",
          "missing ",
          "token recognition error");

  private Issues() {}

  static String shown(List<CelIssue> issues, CelSource source) {
    var lines = new ArrayList<String>();
    int length = 0;
    for (var issue : issues) {
      var text = shown(issue, source);
      length += text.length();
      if (lines.size() == MOST || (length > MOST_CHARACTERS && !lines.isEmpty())) {
        lines.add("%d more errors were truncated".formatted(issues.size() - lines.size()));
        break;
      }
      lines.add(text);
    }
    return String.join("\n", lines);
  }

  private static String shown(CelIssue issue, CelSource source) {
    var place = issue.getSourceLocation();
    var message = words(issue.getMessage());
    if (message.equals("invalid argument to has() macro")) {
      // Kubernetes points at the argument, not at the parenthesis before it.
      place = CelSourceLocation.of(place.getLine(), place.getColumn() + 1);
    }
    var line = place.getLine() < 1 ? "" : source.getSnippet(place.getLine()).orElse("");
    return line.length() > LONGEST_LINE
        ? "ERROR: %s:%d:%d: %s"
            .formatted(source.getDescription(), place.getLine(), place.getColumn() + 1, message)
        : CelIssue.formatError(place, message).toDisplayString(source);
  }

  private static String words(String message) {
    if (SYNTAX.stream().anyMatch(message::startsWith)) {
      return "Syntax error: " + message;
    }
    int candidates = message.lastIndexOf(CANDIDATES);
    return candidates > 0 && message.startsWith("found no matching overload for ")
        ? message.substring(0, candidates)
        : message;
  }
}
