package io.berth.kinds.core;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Maps from resource name to quantity.
public final class ResourceLists {

  private static final int MILLI_SCALE = 3;

  private ResourceLists() {}

  /// The quantities of a list, in its order.
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
    for (var name : new ArrayList<>(list.names())) {
      var quantity = quantity(list.get(name));
      var amount = quantity.amount();
      if (amount.scale() > MILLI_SCALE) {
        var rounded = amount.setScale(MILLI_SCALE, RoundingMode.UP).stripTrailingZeros();
        list.put(name, new Quantity(rounded, quantity.format()).toString());
      }
    }
  }
}
