package io.berth.admission.quota;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One of the scopes that a quota is limited to.
public record Scope(String name, String operator, List<String> values) {

  public Scope {
    values = List.copyOf(values);
  }

  /// All scopes of a quota; an object must be in each of them.
  public static List<Scope> of(Tree quota) {
    var scopes = new ArrayList<Scope>();
    for (var name : quota.list("spec", "scopes")) {
      scopes.add(new Scope(String.valueOf(name), "Exists", List.of()));
    }
    for (var each : quota.trees("spec", "scopeSelector", "matchExpressions")) {
      var values = each.list("values").stream().map(String::valueOf).toList();
      scopes.add(new Scope(each.textOrEmpty("scopeName"), each.textOrEmpty("operator"), values));
    }
    return scopes;
  }

  /// Whether an object with this value of the scope's attribute is selected; `null`: it has none.
  boolean selects(@Nullable String value) {
    return switch (operator) {
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      default -> false;
    };
  }
}
