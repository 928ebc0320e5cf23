package io.berth.schema.cel;

import dev.cel.common.values.CelByteString;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// How much there is to walk through in a value, to its innermost parts.
///
/// A list that holds another twice counts it twice, since whoever compares or prints it does too: a
/// few steps make of that more than there is time. Each list and map is counted once.
final class Weights {

  private final IdentityHashMap<Object, Double> known = new IdentityHashMap<>();

  /// Characters, elements, keys and values, all together.
  double of(Object value) {
    return switch (value) {
      case String text -> 1.0 + text.length();
      case CelByteString bytes -> 1.0 + bytes.size();
      case List<?> list -> ofAll(list, list);
      case Map<?, ?> map -> 1 + ofAll(map, map.values()) + map.size();
      default -> 1;
    };
  }

  private double ofAll(Object container, Iterable<?> elements) {
    var found = known.get(container);
    if (found != null) {
      return found;
    }
    double sum = 1;
    for (var each : elements) {
      sum += of(each);
    }
    known.put(container, sum);
    return sum;
  }

  /// What Kubernetes takes for the size of a value.
  static double size(Object value) {
    return switch (value) {
      case String text -> text.length();
      case CelByteString bytes -> bytes.size();
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      default -> 1;
    };
  }
}
