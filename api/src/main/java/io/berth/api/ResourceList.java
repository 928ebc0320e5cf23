package io.berth.api;

import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Amounts by resource name, as objects carry them and as sums are made of them.
///
/// Mirrors: core/v1.ResourceList, component-helpers/resource (addResourceList, maxResourceList)
public final class ResourceList {

  private static final int MILLI_SCALE = 3;

  private ResourceList() {}

  /// The quantities of a list, in its order; the map is the caller's to change.
  public static Map<String, Quantity> read(@Nullable Tree list) {
    var quantities = new LinkedHashMap<String, Quantity>();
    if (list != null) {
      list.fields().forEach((name, value) -> quantities.put(name, quantity(value)));
    }
    return quantities;
  }

  /// A quantity as a field holds it. What is none was refused when the object was decoded.
  public static Quantity quantity(@Nullable Object value) {
    return switch (value) {
      case String text -> Quantity.parse(text);
      case Long number -> Quantity.of(number);
      case Double number -> Quantity.parse(number.toString());
      case null, default -> Quantity.ZERO;
    };
  }

  /// Rounds what is finer than a thousandth up, as Kubernetes does when it reads an object.
  public static void roundUp(@Nullable Tree list) {
    if (list == null) {
      return;
    }
    for (var name : List.copyOf(list.names())) {
      var quantity = quantity(list.get(name));
      var amount = quantity.amount();
      if (amount.scale() > MILLI_SCALE) {
        var rounded = amount.setScale(MILLI_SCALE, RoundingMode.UP).stripTrailingZeros();
        list.put(name, new Quantity(rounded, quantity.format()).toString());
      }
    }
  }

  public static void add(Map<String, Quantity> sums, Map<String, Quantity> more) {
    more.forEach((name, amount) -> sums.merge(name, amount, Quantity::plus));
  }

  /// Raises each amount to that of the other list.
  public static void raise(Map<String, Quantity> amounts, Map<String, Quantity> least) {
    least.forEach(
        (name, amount) -> amounts.merge(name, amount, (a, b) -> a.compareTo(b) < 0 ? b : a));
  }
}
