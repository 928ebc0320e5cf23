package io.berth.api;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One clause of a label or node selector, as written: `operator` may be anything.
public record Requirement(String key, String operator, List<String> values) {

  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

  public Requirement {
    values = List.copyOf(values);
  }

  public static Requirement of(Tree clause) {
    var values = clause.list("values").stream().map(String::valueOf).toList();
    return new Requirement(clause.textOrEmpty("key"), clause.textOrEmpty("operator"), values);
  }

  /// Whether the value that an object has under the key, `null` for none, satisfies this clause.
  ///
  /// As in Kubernetes, an absent value satisfies `NotIn`; `Gt` and `Lt` hold for integers only; an
  /// unknown operator matches nothing.
  public boolean matches(@Nullable String value) {
    return switch (operator) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "Gt" -> compares(value, 1);
      case "Lt" -> compares(value, -1);
      default -> false;
    };
  }

  private boolean compares(@Nullable String value, int sign) {
    if (value == null || values.size() != 1) {
      return false;
    }
    var number = integer(value);
    var bound = integer(values.getFirst());
    return number != null && bound != null && Long.compare(number, bound) == sign;
  }

  /// The text as a base-10 integer of 64 bits, or `null`.
  public static @Nullable Long integer(String text) {
    if (!INTEGER.matcher(text).matches()) {
      return null;
    }
    try {
      return Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
