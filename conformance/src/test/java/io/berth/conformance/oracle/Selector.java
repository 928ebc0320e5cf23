package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A label selector, as pods, budgets and owners use it.
///
/// `requirements` are ANDed; none at all match everything. `nothing` stands for a selector that is
/// not there, which matches nothing.
record Selector(boolean nothing, List<Requirement> requirements) {

  static final Selector NOTHING = new Selector(true, List.of());

  record Requirement(String key, String operator, List<String> values) {

    boolean matches(Map<String, String> labels) {
      var value = labels.get(key);
      return switch (operator) {
        case "In" -> value != null && values.contains(value);
        case "NotIn" -> value == null || !values.contains(value);
        case "Exists" -> value != null;
        case "DoesNotExist" -> value == null;
        case "Gt", "Lt" -> value != null && compares(value);
        default -> throw new IllegalArgumentException("operator " + operator);
      };
    }

    private boolean compares(String value) {
      if (!isInteger(value)) {
        return false;
      }
      long left = Long.parseLong(value);
      long right = Long.parseLong(values.getFirst());
      return operator.equals("Gt") ? left > right : left < right;
    }

    /// Whether the term that holds this requirement can be used at all.
    boolean isValid() {
      return switch (operator) {
        case "In", "NotIn" ->
            !values.isEmpty() && values.stream().allMatch(Requirement::isLabelValue);
        case "Exists", "DoesNotExist" -> values.isEmpty();
        case "Gt", "Lt" ->
            values.size() == 1 && isInteger(values.getFirst()) && isLabelValue(values.getFirst());
        default -> false;
      };
    }

    private static boolean isInteger(String text) {
      try {
        Long.parseLong(text);
        return true;
      } catch (NumberFormatException e) {
        return false;
      }
    }

    private static boolean isLabelValue(String text) {
      return text.length() <= 63 && text.matches("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?");
    }
  }

  static Selector of(@Nullable Tree selector) {
    if (selector == null) {
      return NOTHING;
    }
    var requirements = new ArrayList<Requirement>();
    selector.texts("matchLabels").forEach((key, value) -> requirements.add(in(key, value)));
    requirements.addAll(requirements(selector, "matchExpressions"));
    return new Selector(false, List.copyOf(requirements));
  }

  static Selector ofLabels(Map<String, String> labels) {
    return new Selector(
        false, labels.entrySet().stream().map(e -> in(e.getKey(), e.getValue())).toList());
  }

  static List<Requirement> requirements(Tree owner, String field) {
    return owner.trees(field).stream()
        .map(each ->
            new Requirement(
                each.textOrEmpty("key"),
                each.textOrEmpty("operator"),
                each.list("values").stream().map(String::valueOf).toList()))
        .toList();
  }

  boolean matches(Map<String, String> labels) {
    return !nothing && requirements.stream().allMatch(each -> each.matches(labels));
  }

  /// Whether this is `{}`: present, and without any condition.
  boolean isEmpty() {
    return !nothing && requirements.isEmpty();
  }

  Selector and(Selector other) {
    var both = new ArrayList<>(requirements);
    both.addAll(other.requirements);
    return new Selector(nothing, List.copyOf(both));
  }

  private static Requirement in(String key, String value) {
    return new Requirement(key, "In", List.of(value));
  }
}
