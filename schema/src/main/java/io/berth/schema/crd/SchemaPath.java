package io.berth.schema.crd;

import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A path through a schema, as rules and selectable fields name it: `.spec.size`, `.labels['a.b']`.
///
/// `problem` says why it leads nowhere; it is empty when it leads to a value of `type`.
public record SchemaPath(String text, String first, String type, String problem) {

  /// Follows a path in an `openAPIV3Schema`; `arrayNotation` allows `['name']`.
  public static SchemaPath resolve(String path, Tree schema, boolean arrayNotation) {
    return resolve(path, StructuralSchema.of(schema), arrayNotation);
  }

  static SchemaPath resolve(String path, StructuralSchema start, boolean arrayNotation) {
    var tokens = tokens(path);
    var schema = start;
    var resolved = FieldPath.ROOT;
    var first = "";
    for (int i = 0; i < tokens.size(); i++) {
      var token = tokens.get(i);
      boolean bracket = token.equals("[");
      if (!bracket && !token.equals(".")) {
        return wrong("expected [ or . but got: " + token);
      }
      if (bracket && !arrayNotation) {
        return wrong("array notation is not allowed");
      }
      if (++i == tokens.size()) {
        return wrong("unexpected end of JSON path");
      }
      var name = bracket ? unquoted(tokens.get(i)) : tokens.get(i);
      if (name == null) {
        return wrong("expected single quoted string but got " + tokens.get(i));
      }
      boolean named = !schema.properties().isEmpty();
      var next = named ? schema.property(name) : schema.additional();
      if (next == null) {
        return wrong("does not refer to a valid field");
      }
      resolved = named ? resolved.child(name) : resolved.key(name);
      first = first.isEmpty() ? name : first;
      schema = next;
      if (bracket && ++i == tokens.size()) {
        return wrong("unexpected end of JSON path");
      }
      if (bracket && !tokens.get(i).equals("]")) {
        return wrong("expected ] but got " + tokens.get(i));
      }
    }
    return new SchemaPath(tokens.isEmpty() ? "" : resolved.toString(), first, schema.type(), "");
  }

  public boolean isValid() {
    return problem.isEmpty();
  }

  private static SchemaPath wrong(String problem) {
    return new SchemaPath("", "", "", problem);
  }

  /// The delimiters, and what stands between them.
  private static List<String> tokens(String path) {
    var tokens = new ArrayList<String>();
    int at = 0;
    while (at < path.length()) {
      int end = at;
      if (path.charAt(at) == '\'') {
        end = at + 1;
        while (end < path.length() && (path.charAt(end) != '\'' || path.charAt(end - 1) == '\\')) {
          end++;
        }
        end = Math.min(end + 1, path.length());
      } else if (".[]".indexOf(path.charAt(at)) >= 0) {
        end = at + 1;
      } else {
        while (end < path.length() && ".[]".indexOf(path.charAt(end)) < 0) {
          end++;
        }
      }
      tokens.add(path.substring(at, end));
      at = end;
    }
    return tokens;
  }

  private static @Nullable String unquoted(String token) {
    return token.length() < 2 || !token.startsWith("'") || !token.endsWith("'")
        ? null
        : token.substring(1, token.length() - 1).replace("\\'", "'").replace("\\\\", "\\");
  }
}
