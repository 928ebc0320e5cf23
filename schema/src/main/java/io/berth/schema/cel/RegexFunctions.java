package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.INT;
import static io.berth.schema.cel.KubernetesFunctions.STRING;
import static io.berth.schema.cel.KubernetesFunctions.problem;

import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.berth.schema.Patterns;
import java.util.ArrayList;
import java.util.List;

/// `find` and `findAll`.
final class RegexFunctions {

  private RegexFunctions() {}

  static void addTo(Functions functions) {
    var texts = ListType.create(SimpleType.STRING);
    functions.member(
        "find",
        "string_find_string",
        SimpleType.STRING,
        STRING,
        STRING,
        (text, pattern) -> {
          var found = all(text, pattern, 1);
          return found.isEmpty() ? "" : found.getFirst();
        });
    functions.member(
        "findAll",
        "string_find_all_string",
        texts,
        STRING,
        STRING,
        (text, pattern) -> all(text, pattern, -1));
    functions.member(
        "findAll",
        "string_find_all_string_int",
        texts,
        STRING,
        STRING,
        INT,
        arguments -> all((String) arguments[0], (String) arguments[1], (Long) arguments[2]));
  }

  /// The first matches, or all when `most` is negative.
  private static List<String> all(String text, String pattern, long most)
      throws CelEvaluationException {
    try {
      var matcher = Patterns.compile(pattern).matcher(text);
      var found = new ArrayList<String>();
      while ((most < 0 || found.size() < most) && matcher.find()) {
        found.add(matcher.group());
      }
      return found;
    } catch (PatternSyntaxException e) {
      throw problem("Illegal regex: " + e.getMessage());
    }
  }
}
