package io.berth.workloads.types;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Which operation answers with what, as `answers.table` says.
public final class Answers {

  private static final Map<String, String> TYPES = read();

  private Answers() {}

  /// The type of an answer, in brackets for a list of it; empty where it is anything, or nothing.
  public static Optional<String> find(String method, String path, int code) {
    return Optional.ofNullable(TYPES.get(key(path, method, Integer.toString(code))));
  }

  private static Map<String, String> read() {
    var types = new HashMap<String, String>();
    for (var line : Types.lines("answers.table")) {
      if (!line.startsWith("#")) {
        var words = line.split(" ", 4);
        types.put(key(words[0], words[1], words[2]), words[3]);
      }
    }
    return types;
  }

  // What the parts of a path are called does not matter.
  private static String key(String path, String method, String code) {
    return method + " " + path.replaceAll("\\{[^}]*}", "{}") + " " + code;
  }
}
