package io.berth.admission.quota;

import io.berth.api.Quantity;
import io.berth.api.Tree;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Amounts by resource name, sorted by name.
public final class Amounts {

  private Amounts() {}

  /// Reads a `ResourceList`.
  public static Map<String, Quantity> of(Tree list) {
    var amounts = new TreeMap<String, Quantity>();
    list.fields()
        .forEach((name, value) -> {
          if (value instanceof String text) {
            amounts.put(name, Quantity.parse(text));
          } else if (value instanceof Long number) {
            amounts.put(name, Quantity.of(number));
          }
        });
    return amounts;
  }

  public static Tree toTree(Map<String, Quantity> amounts) {
    var tree = new Tree();
    amounts.forEach((name, quantity) -> tree.put(name, quantity.toString()));
    return tree;
  }

  public static void add(Map<String, Quantity> sums, Map<String, Quantity> more) {
    more.forEach((name, quantity) -> sums.merge(name, quantity, Quantity::plus));
  }

  /// Raises each amount to that of the other map.
  public static void raise(Map<String, Quantity> amounts, Map<String, Quantity> least) {
    least.forEach(
        (name, quantity) -> amounts.merge(name, quantity, (a, b) -> a.compareTo(b) < 0 ? b : a));
  }

  /// What is left of `amounts` after `others`, nothing below zero.
  public static Map<String, Quantity> minus(
      Map<String, Quantity> amounts, Map<String, Quantity> others) {
    var rest = new TreeMap<String, Quantity>();
    amounts.forEach((name, quantity) -> {
      var other = others.get(name);
      if (other == null) {
        rest.put(name, quantity);
      } else {
        var difference = quantity.amount().subtract(other.amount());
        rest.put(
            name,
            difference.signum() <= 0 ? Quantity.ZERO : new Quantity(difference, quantity.format()));
      }
    });
    return rest;
  }

  public static Map<String, Quantity> only(
      Map<String, Quantity> amounts, Collection<String> names) {
    var masked = new TreeMap<>(amounts);
    masked.keySet().retainAll(Set.copyOf(names));
    return masked;
  }

  /// `cpu=1,memory=2Gi`
  public static String text(Map<String, Quantity> amounts) {
    return amounts.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(","));
  }
}
