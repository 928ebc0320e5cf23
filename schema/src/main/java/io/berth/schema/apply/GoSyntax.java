package io.berth.schema.apply;

import io.berth.api.FieldError;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Values as Go prints them, which messages about wrong types show.
final class GoSyntax {

  private GoSyntax() {}

  /// As Go prints a value for people: `map[a:[x y]]`.
  static String plain(@Nullable Object value) {
    return switch (value) {
      case null -> "<nil>";
      case Tree tree -> {
        var parts = new ArrayList<String>();
        new TreeMap<>(tree.fields()).forEach((name, each) -> parts.add(name + ":" + plain(each)));
        yield "map[" + String.join(" ", parts) + "]";
      }
      case List<?> list ->
          "[" + String.join(" ", list.stream().map(GoSyntax::plain).toList()) + "]";
      case Double number -> FieldError.rendered(number);
      default -> value.toString();
    };
  }

  /// As Go would write it in a program: `map[string]interface {}{"a":[]interface {}{"x", "y"}}`.
  static String of(@Nullable Object value) {
    return switch (value) {
      case null -> "interface {}(nil)";
      case String text -> FieldError.quoted(text);
      case Tree tree -> {
        var parts = new ArrayList<String>();
        new TreeMap<>(tree.fields())
            .forEach((name, each) -> parts.add(FieldError.quoted(name) + ":" + of(each)));
        yield "map[string]interface {}{" + String.join(", ", parts) + "}";
      }
      case List<?> list ->
          "[]interface {}{" + String.join(", ", list.stream().map(GoSyntax::of).toList()) + "}";
      case Double number -> FieldError.rendered(number);
      default -> value.toString();
    };
  }
}
