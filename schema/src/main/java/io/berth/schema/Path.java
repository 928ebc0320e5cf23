package io.berth.schema;

import io.berth.api.Tree;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a decoder is, cheap to keep and only spelled out when something is wrong.
final class Path {

  private @Nullable Object[] steps = new @Nullable Object[16];
  private int[] indexes = new int[16];
  private int depth;

  void enter(Field field) {
    push(field, 0);
  }

  /// Enters an entry of a map.
  void enter(String key) {
    push(key, 0);
  }

  /// Enters an element of a list.
  void enter(int index) {
    push(null, index);
  }

  void leave() {
    depth--;
  }

  private void push(@Nullable Object step, int index) {
    if (depth == steps.length) {
      steps = Arrays.copyOf(steps, depth * 2);
      indexes = Arrays.copyOf(indexes, depth * 2);
    }
    steps[depth] = step;
    indexes[depth] = index;
    depth++;
  }

  /// `spec.containers[0].name`, as Kubernetes names unknown fields.
  String to(String name) {
    var text = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      switch (steps[i]) {
        case null -> text.append('[').append(indexes[i]).append(']');
        case Field field -> separated(text).append(field.name());
        default -> separated(text).append(steps[i]);
      }
    }
    return separated(text).append(name).toString();
  }

  private static StringBuilder separated(StringBuilder text) {
    return text.isEmpty() ? text : text.append('.');
  }

  /// Go's text for a value of the wrong kind in the field this path ends in.
  String mismatch(Object raw, String goType) {
    var struct = "";
    for (int i = depth - 1; i >= 0 && struct.isEmpty(); i--) {
      struct = steps[i] instanceof Field field ? field.owner().simpleName() : "";
    }
    return mismatch(struct, raw, goType);
  }

  String mismatch(String struct, Object raw, String goType) {
    return "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
        .formatted(describe(raw, goType), struct, goPath(), goType);
  }

  /// Go's text for a value of the wrong kind outside of any struct.
  static String bareMismatch(Object raw, String goType) {
    return "json: cannot unmarshal %s into Go value of type %s"
        .formatted(describe(raw, goType), goType);
  }

  // Neither indexes nor keys are part of Go's path, but the structs fields are inlined from are.
  private String goPath() {
    var text = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      if (steps[i] instanceof Field field) {
        if (!field.embedded().isEmpty()) {
          separated(text).append(field.embedded());
        }
        separated(text).append(field.name());
      } else if (i == depth - 1 && steps[i] instanceof String name && isTypeMeta(name)) {
        separated(text).append(name);
      }
    }
    return text.toString();
  }

  private boolean isTypeMeta(String name) {
    boolean inMap =
        depth > 1 && steps[depth - 2] instanceof Field field && field.shape() != Shape.ONE;
    return !inMap && (name.equals("kind") || name.equals("apiVersion"));
  }

  private static String describe(Object raw, String goType) {
    return switch (raw) {
      case String _ -> "string";
      case Boolean _ -> "bool";
      case Tree _ -> "object";
      case List<?> _ -> "array";
      // A number that is one, but does not fit, is shown.
      default -> goType.startsWith("int") ? "number " + numberText(raw) : "number";
    };
  }

  static String numberText(Object raw) {
    if (raw instanceof Double number) {
      return goDouble(number);
    }
    return raw instanceof Tree || raw instanceof List ? "{}" : String.valueOf(raw);
  }

  // 1.0E30 in Java is 1e+30 in Go and in most JSON.
  private static String goDouble(double number) {
    var text = Double.toString(number);
    int at = text.indexOf('E');
    if (at < 0) {
      return text;
    }
    var mantissa = text.substring(0, at);
    mantissa = mantissa.endsWith(".0") ? mantissa.substring(0, at - 2) : mantissa;
    var exponent = text.substring(at + 1);
    return mantissa + (exponent.startsWith("-") ? "e" : "e+") + exponent;
  }
}
