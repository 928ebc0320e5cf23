package io.berth.admission.quota;

import io.berth.api.Quantity;
import io.berth.api.ResourceList;
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
    return new TreeMap<>(ResourceList.read(list));
  }

  public static Tree toTree(Map<String, Quantity> amounts) {
    var tree = new Tree();
    amounts.forEach((name, quantity) -> tree.put(name, quantity.toString()));
    return tree;
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
