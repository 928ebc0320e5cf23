package io.berth.schema.crd;

import io.berth.api.Tree;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A value of an updated object beside the one that stood in its place before.
///
/// As in Kubernetes, what an update does not change is not refused because of rules that came
/// later. Elements of lists are found again by their keys; other lists only as a whole.
public final class Correlation {

  private final @Nullable Object value;
  private final @Nullable Object old;
  private final SchemaRules rules;

  Correlation(@Nullable Object value, @Nullable Object old, SchemaRules rules) {
    this.value = value;
    this.old = old;
    this.rules = rules;
  }

  @Nullable Object value() {
    return value;
  }

  @Nullable Object old() {
    return old;
  }

  boolean isSame() {
    return Objects.equals(value, old);
  }

  /// The pair in this field, or `null` when one of them is missing.
  @Nullable Correlation field(String name) {
    var schema = rules.at(name);
    return schema != null
            && value instanceof Tree now
            && old instanceof Tree before
            && now.has(name)
            && before.has(name)
        ? new Correlation(now.get(name), before.get(name), schema)
        : null;
  }

  /// The pair at this position of the list, or `null` when the element is new.
  @Nullable Correlation element(int index) {
    var items = rules.items();
    if (items == null
        || !rules.listType().equals("map")
        || !(value instanceof List<?> now)
        || !(old instanceof List<?> before)
        || !(now.get(index) instanceof Tree element)) {
      return null;
    }
    for (var each : before) {
      if (each instanceof Tree candidate && sameKeys(element, candidate)) {
        return new Correlation(element, candidate, items);
      }
    }
    return null;
  }

  private boolean sameKeys(Tree a, Tree b) {
    for (var key : rules.listMapKeys()) {
      if (!Objects.equals(a.get(key), b.get(key))) {
        return false;
      }
    }
    return true;
  }
}
