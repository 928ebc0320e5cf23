package io.berth.schema.crd;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Field names as expressions write them: `my-field` is `my__dash__field`.
public final class Identifiers {

  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  private Identifiers() {}

  /// Whether the language keeps the word for itself.
  public static boolean isReserved(String word) {
    return RESERVED.contains(word);
  }

  /// All ways to write a field's name. As in Kubernetes, after a dot a reserved word is also a
  /// name, unless it is one that the grammar knows, which the parser refuses.
  public static List<String> spellings(String name) {
    var escaped = escape(name);
    if (escaped == null) {
      return List.of();
    }
    return isReserved(name) ? List.of(escaped, name) : List.of(escaped);
  }

  /// The escaped name, or `null` when there is no way to write it.
  public static @Nullable String escape(String name) {
    if (name.isEmpty() || !name.matches("[a-zA-Z_./-][a-zA-Z0-9_./-]*")) {
      return null;
    }
    if (isReserved(name)) {
      return "__" + name + "__";
    }
    return name.replace("__", "__underscores__")
        .replace(".", "__dot__")
        .replace("-", "__dash__")
        .replace("/", "__slash__");
  }
}
