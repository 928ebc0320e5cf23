package io.berth.codec;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The fields of one object and the path to it, so that every complaint says where.
///
/// Unknown fields are ignored, absent ones and `null` have defaults; a field of the wrong type is a
/// [FieldException].
final class Fields {

  private final Tree tree;
  private final String path;

  Fields(Tree tree, String path) {
    this.tree = tree;
    this.path = path;
  }

  static Fields of(Tree tree) {
    return new Fields(tree, "");
  }

  String path(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  boolean has(String field) {
    return tree.get(field) != null;
  }

  /// The object in a field; absent ones are empty.
  Fields object(String field) {
    var found = objectOrNull(field);
    return found == null ? new Fields(new Tree(), path(field)) : found;
  }

  @Nullable Fields objectOrNull(String field) {
    return switch (tree.get(field)) {
      case null -> null;
      case Tree object -> new Fields(object, path(field));
      case Object other -> throw wrong(path(field), other, "an object");
    };
  }

  String text(String field) {
    return textOr(field, "");
  }

  String textOr(String field, String absent) {
    var text = textOrNull(field);
    return text == null ? absent : text;
  }

  @Nullable String textOrNull(String field) {
    return switch (tree.get(field)) {
      case null -> null;
      case String text -> text;
      case Object other -> throw wrong(path(field), other, "a string");
    };
  }

  boolean flag(String field) {
    return switch (tree.get(field)) {
      case null -> false;
      case Boolean flag -> flag;
      case Object other -> throw wrong(path(field), other, "a boolean");
    };
  }

  int integer(String field, int absent) {
    long number = number(field, absent);
    if (number != (int) number) {
      throw new FieldException(path(field), number + " does not fit 32 bits");
    }
    return (int) number;
  }

  long number(String field, long absent) {
    return switch (tree.get(field)) {
      case null -> absent;
      case Long number -> number;
      case Double number when number == Math.rint(number) && Math.abs(number) < 1e15 ->
          number.longValue();
      case Object other -> throw wrong(path(field), other, "an integer");
    };
  }

  @Nullable Instant instant(String field) {
    var text = textOrNull(field);
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new FieldException(
          path(field), "\"" + text + "\" is no time; write it like 2026-01-31T12:00:00Z");
    }
  }

  /// The objects of a list, each read by `reader`.
  <T> List<T> objects(String field, Function<Fields, T> reader) {
    var elements = elements(field);
    var objects = new ArrayList<T>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      var at = path(field) + "[" + i + "]";
      objects.add(
          switch (elements.get(i)) {
            case Tree object -> reader.apply(new Fields(object, at));
            case null -> reader.apply(new Fields(new Tree(), at));
            case Object other -> throw wrong(at, other, "an object");
          });
    }
    return objects;
  }

  List<String> texts(String field) {
    var elements = elements(field);
    var texts = new ArrayList<String>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      texts.add(
          switch (elements.get(i)) {
            case String text -> text;
            case null -> "";
            case Object other -> throw wrong(path(field) + "[" + i + "]", other, "a string");
          });
    }
    return texts;
  }

  private List<? extends @Nullable Object> elements(String field) {
    return switch (tree.get(field)) {
      case null -> List.of();
      case List<?> list -> list;
      case Object other -> throw wrong(path(field), other, "a list");
    };
  }

  /// A map of texts, such as labels.
  Map<String, String> map(String field) {
    var object = objectOrNull(field);
    if (object == null || object.tree.isEmpty()) {
      return Map.of();
    }
    var map = new LinkedHashMap<String, String>();
    object
        .tree
        .fields()
        .forEach((name, value) ->
            map.put(
                name,
                switch (value) {
                  case String text -> text;
                  case null -> "";
                  case Object other ->
                      throw wrong(path(field) + "[" + name + "]", other, "a string");
                }));
    return map;
  }

  /// A map of resource name to amount, or `null` when the field is absent.
  @Nullable Map<String, Quantity> quantitiesOrNull(String field) {
    var object = objectOrNull(field);
    if (object == null) {
      return null;
    }
    var map = new LinkedHashMap<String, Quantity>();
    object
        .tree
        .fields()
        .forEach((name, value) -> map.put(name, quantity(value, path(field) + "[" + name + "]")));
    return map;
  }

  Map<String, Quantity> quantities(String field) {
    var map = quantitiesOrNull(field);
    return map == null ? Map.of() : map;
  }

  @Nullable Quantity quantityOrNull(String field) {
    var value = tree.get(field);
    return value == null ? null : quantity(value, path(field));
  }

  static Quantity quantity(@Nullable Object value, String at) {
    try {
      return switch (value) {
        case null -> Quantity.ZERO;
        case String text -> Quantity.parse(text);
        case Long number -> Quantity.of(number);
        case Double number ->
            Quantity.parse(new java.math.BigDecimal(number.toString()).toPlainString());
        case Object other -> throw wrong(at, other, "a quantity");
      };
    } catch (IllegalArgumentException e) {
      throw e instanceof FieldException
          ? e
          : new FieldException(
              at,
              "\"%s\" is no quantity: %s; use a number with one of the suffixes n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei"
                  .formatted(value, e.getMessage()));
    }
  }

  Tree tree() {
    return tree;
  }

  /// A complaint about the object itself.
  FieldException wrong(String problem) {
    return new FieldException(path, problem);
  }

  FieldException wrong(String field, String problem) {
    return new FieldException(path(field), problem);
  }

  private static FieldException wrong(String at, Object value, String expected) {
    var kind =
        switch (value) {
          case String text -> "the string \"" + shortened(text) + "\"";
          case Tree _ -> "an object";
          case List<?> _ -> "a list";
          default -> "the value " + value;
        };
    return new FieldException(at, "expected " + expected + ", found " + kind);
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
