package io.berth.schema;

import io.berth.api.Tree;
import java.util.List;

/// What Kubernetes says and does about values of the wrong kind when it converts a merged map into
/// an object, which differs from what Go's decoder says and does.
final class Conversion {

  private Conversion() {}

  /// Whole numbers are numbers, and those that are too large wrap around, as in Kubernetes.
  static Object integer(Object raw, String goType) {
    if (raw instanceof Double number) {
      if (number != Math.rint(number)) {
        throw new DecodingException("cannot convert float64 to " + goType);
      }
      return goType.equals("int32") ? (long) (int) (long) (double) number : (long) (double) number;
    }
    if (raw instanceof Long number) {
      return (long) number.intValue();
    }
    throw new DecodingException(mismatch(raw, goType));
  }

  static String mismatch(Object raw, String goType) {
    if (goType.startsWith("[]") || goType.equals("v1.Verbs")) {
      return "cannot restore slice from " + kindOf(raw);
    }
    if (goType.startsWith("map[") || goType.equals("v1.ResourceList")) {
      return "cannot restore map from " + kindOf(raw);
    }
    return switch (goType) {
      case "bool", "int32", "int64", "float64" -> "unrecognized type: " + goType;
      default -> "cannot restore struct from: " + kindOf(raw);
    };
  }

  /// For fields that hold a text, under whatever name Go has for it.
  static String textMismatch(Object raw, String goType) {
    return raw instanceof Long ? "cannot convert int64 to " + goType : "unrecognized type: string";
  }

  private static String kindOf(Object raw) {
    return switch (raw) {
      case Tree _ -> "map";
      case List<?> _ -> "slice";
      case String _ -> "string";
      case Boolean _ -> "bool";
      case Long _ -> "int64";
      default -> "float64";
    };
  }
}
