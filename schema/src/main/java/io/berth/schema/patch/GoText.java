package io.berth.schema.patch;

import io.berth.api.GoNumbers;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Values as Go prints them in error texts: `map[image:app:3 name:c]`.
public final class GoText {

  private GoText() {}

  public static String of(@Nullable Object value) {
    var text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    switch (value) {
      case null -> text.append("<nil>");
      case Tree tree -> {
        text.append("map[");
        var names = tree.names().stream().sorted().toList();
        for (int i = 0; i < names.size(); i++) {
          append(
              text.append(i == 0 ? "" : " ").append(names.get(i)).append(':'),
              tree.get(names.get(i)));
        }
        text.append(']');
      }
      case List<?> list -> {
        text.append('[');
        for (int i = 0; i < list.size(); i++) {
          append(text.append(i == 0 ? "" : " "), list.get(i));
        }
        text.append(']');
      }
      case Double number -> text.append(GoNumbers.text(number));
      default -> text.append(value);
    }
  }

  /// The Go type of a decoded JSON value.
  public static String typeOf(@Nullable Object value) {
    return switch (value) {
      case null -> "%!s(<nil>)";
      case Tree _ -> "map[string]interface {}";
      case List<?> _ -> "[]interface {}";
      case String _ -> "string";
      case Boolean _ -> "bool";
      case Long _ -> "int64";
      default -> "float64";
    };
  }
}
