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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The fields of one object and the path to it, so that every complaint says where.
///
/// Unknown fields are ignored, absent ones and `null` have defaults; a field of the wrong type is a
/// [FieldException]. Types are asked for one by one, not by a `switch` over patterns: that is
/// several times as dear until the optimizing compiler has seen to it, which the scheduler never
/// lets it.
final class Fields {

  private static final Tree EMPTY = new Tree().freeze();

  private final Tree tree;
  private final @Nullable Fields parent;
  private final String step;
  private final int index;

  private Fields(Tree tree, @Nullable Fields parent, String step, int index) {
    this.tree = tree;
    this.parent = parent;
    this.step = step;
    this.index = index;
  }

  static Fields of(Tree tree) {
    return new Fields(tree, null, "", -1);
  }

  // Put together only for complaints: objects are read far more often than they are wrong.
  private String path() {
    if (parent == null) {
      return step;
    }
    var here = parent.path(step);
    return index < 0 ? here : here + "[" + index + "]";
  }

  String path(String field) {
    var path = path();
    return path.isEmpty() ? field : path + "." + field;
  }

  boolean has(String field) {
    return tree.get(field) != null;
  }

  /// The object in a field; absent ones are empty.
  Fields object(String field) {
    var found = objectOrNull(field);
    return found == null ? new Fields(EMPTY, this, field, -1) : found;
  }

  @Nullable Fields objectOrNull(String field) {
    var value = tree.get(field);
    if (value instanceof Tree object) {
      return new Fields(object, this, field, -1);
    }
    if (value == null) {
      return null;
    }
    throw wrong(path(field), value, "an object");
  }

  String text(String field) {
    return textOr(field, "");
  }

  String textOr(String field, String absent) {
    var text = textOrNull(field);
    return text == null ? absent : text;
  }

  @Nullable String textOrNull(String field) {
    var value = tree.get(field);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(path(field), value, "a string");
  }

  boolean flag(String field) {
    var value = tree.get(field);
    if (value instanceof Boolean flag) {
      return flag;
    }
    if (value == null) {
      return false;
    }
    throw wrong(path(field), value, "a boolean");
  }

  int integer(String field, int absent) {
    long number = number(field, absent);
    if (number != (int) number) {
      throw new FieldException(path(field), number + " does not fit 32 bits");
    }
    return (int) number;
  }

  long number(String field, long absent) {
    var value = tree.get(field);
    if (value == null) {
      return absent;
    }
    if (value instanceof Long number) {
      return number;
    }
    if (value instanceof Double number && number == Math.rint(number) && Math.abs(number) < 1e15) {
      return number.longValue();
    }
    throw wrong(path(field), value, "an integer");
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
    if (elements.isEmpty()) {
      return List.of();
    }
    var objects = new ArrayList<T>(elements.size());
    for (int i = 0; i < elements.size(); i++) {
      var element = elements.get(i);
      if (element != null && !(element instanceof Tree)) {
        throw wrong(path(field) + "[" + i + "]", element, "an object");
      }
      var object = element == null ? EMPTY : (Tree) element;
      objects.add(reader.apply(new Fields(object, this, field, i)));
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
    var value = tree.get(field);
    if (value instanceof List<?> list) {
      return list;
    }
    if (value == null) {
      return List.of();
    }
    throw wrong(path(field), value, "a list");
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
        .forEach((name, value) -> {
          if (value != null && !(value instanceof String)) {
            throw wrong(path(field) + "[" + name + "]", value, "a string");
          }
          map.put(name, value == null ? "" : (String) value);
        });
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
        .forEach(
            (name, value) -> map.put(name, quantity(value, () -> path(field) + "[" + name + "]")));
    return map;
  }

  Map<String, Quantity> quantities(String field) {
    var map = quantitiesOrNull(field);
    return map == null ? Map.of() : map;
  }

  @Nullable Quantity quantityOrNull(String field) {
    var value = tree.get(field);
    return value == null ? null : quantity(value, () -> path(field));
  }

  private static Quantity quantity(@Nullable Object value, Supplier<String> at) {
    try {
      if (value instanceof String text) {
        return Quantity.parse(text);
      }
      if (value instanceof Long number) {
        return Quantity.of(number);
      }
      if (value instanceof Double number) {
        return Quantity.parse(new java.math.BigDecimal(number.toString()).toPlainString());
      }
      if (value == null) {
        return Quantity.ZERO;
      }
    } catch (IllegalArgumentException e) {
      throw new FieldException(
          at.get(),
          "\"%s\" is no quantity: %s; use a number with one of the suffixes n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei"
              .formatted(value, e.getMessage()));
    }
    throw wrong(at.get(), value, "a quantity");
  }

  Tree tree() {
    return tree;
  }

  /// A complaint about the object itself.
  FieldException wrong(String problem) {
    return new FieldException(path(), problem);
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
