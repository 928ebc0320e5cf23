package io.berth.server.request;

import io.berth.api.ApiException;
import java.util.Set;
import java.util.regex.Pattern;

/// The `timeout` that a URL may name for a request that is answered at once.
///
/// Answers are far quicker than any deadline, so a good value changes nothing; one that is no
/// duration is refused before anybody asks who is calling.
public final class Timeout {

  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d*)?|\\.\\d+");
  private static final Pattern UNIT = Pattern.compile("[^.\\d]+");
  private static final Set<String> UNITS = Set.of("ns", "us", "µs", "μs", "ms", "s", "m", "h");

  private Timeout() {}

  public static void check(RequestInfo info, Query query) {
    var text = query.text("timeout");
    if (text.isEmpty() || info.verb().equals("watch")) {
      return;
    }
    var mistake = mistake(text);
    if (!mistake.isEmpty()) {
      throw ApiException.badRequest(
          "invalid timeout specified in the request URL - time: " + mistake);
    }
  }

  /// Why this is no duration, in the words of Go; empty when it is one.
  private static String mistake(String text) {
    var rest = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    if (rest.equals("0")) {
      return "";
    }
    if (rest.isEmpty()) {
      return "invalid duration \"" + text + "\"";
    }
    // One pass: cutting off what was read would copy the rest with every part.
    var number = NUMBER.matcher(rest);
    var unit = UNIT.matcher(rest);
    for (int at = 0; at < rest.length(); at = unit.end()) {
      if (!number.region(at, rest.length()).lookingAt()) {
        return "invalid duration \"" + text + "\"";
      }
      if (!unit.region(number.end(), rest.length()).lookingAt()) {
        return "missing unit in duration \"" + text + "\"";
      }
      if (!UNITS.contains(unit.group())) {
        return "unknown unit \"" + unit.group() + "\" in duration \"" + text + "\"";
      }
    }
    return "";
  }
}
