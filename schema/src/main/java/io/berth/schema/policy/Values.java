package io.berth.schema.policy;

import dev.cel.common.values.NullValue;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Objects as expressions see them, and back.
public final class Values {

  private Values() {}

  /// The value of a tree, a list, a scalar or nothing.
  public static Object of(@Nullable Object value) {
    return switch (value) {
      case null -> NullValue.NULL_VALUE;
      case Tree tree -> {
        var fields = new LinkedHashMap<String, Object>();
        tree.fields().forEach((name, each) -> fields.put(name, of(each)));
        yield fields;
      }
      case List<?> list -> {
        var elements = new ArrayList<Object>(list.size());
        for (var each : list) {
          elements.add(of(each));
        }
        yield elements;
      }
      default -> value;
    };
  }

  /// What an expression made, as objects hold it. Throws [IllegalArgumentException] for what has no
  /// place in an object, such as a duration.
  public static @Nullable Object toTree(Object value) {
    return switch (value) {
      case NullValue _ -> null;
      case Map<?, ?> map -> {
        var tree = new Tree();
        map.forEach((name, each) -> tree.put(key(name), toTree(each)));
        yield tree;
      }
      case List<?> list -> {
        var elements = new ArrayList<@Nullable Object>(list.size());
        for (var each : list) {
          elements.add(toTree(each));
        }
        yield elements;
      }
      case String text -> text;
      case Long number -> number;
      case Double number -> number;
      case Boolean flag -> flag;
      default ->
          throw new IllegalArgumentException(
              "unsupported type " + value.getClass().getSimpleName());
    };
  }

  private static String key(Object key) {
    if (key instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException(
        "map key \"%s\" is of type %s, not string".formatted(key, key.getClass().getSimpleName()));
  }
}
