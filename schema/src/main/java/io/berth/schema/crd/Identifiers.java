package io.berth.schema.crd;

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
