package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The expressions of a schema and of all below it, compiled once.
final class ExpressionRules {

  private final List<ExpressionRule> own = new ArrayList<>();
  private final Map<String, ExpressionRules> properties = new LinkedHashMap<>();
  private final @Nullable ExpressionRules additional;
  private final @Nullable ExpressionRules items;
  private final StructuralSchema schema;

  private ExpressionRules(StructuralSchema schema, boolean resourceRoot) {
    this.schema = schema;
    for (var rule : schema.expressions()) {
      own.add(ExpressionRule.of(rule, schema, resourceRoot));
    }
    schema
        .properties()
        .forEach((name, property) -> {
          var rules = below(property);
          if (rules != null) {
            properties.put(name, rules);
          }
        });
    this.additional = below(schema.additional());
    this.items = below(schema.items());
  }

  /// The expressions of a value, which may be a whole object.
  static ExpressionRules of(StructuralSchema schema, boolean resourceRoot) {
    return new ExpressionRules(schema, resourceRoot);
  }

  private static @Nullable ExpressionRules below(@Nullable StructuralSchema schema) {
    return schema == null || !schema.hasExpressions()
        ? null
        : new ExpressionRules(schema, schema.isEmbedded());
  }

  /// Objections of all expressions. `before` forgives what an update leaves as it was.
  void check(Tree object, @Nullable Tree old, @Nullable Correlation before, FieldErrors errors) {
    check(object, old, FieldPath.ROOT, new Earlier(before, null), errors);
  }

  /// Objections to a value that stands by itself, such as a default.
  void check(Object value, @Nullable Object old, FieldPath path, FieldErrors errors) {
    check(value, old, path, new Earlier(null, null), errors);
  }

  /// A value beside its old one, or the nearest part around it that has one.
  private record Earlier(@Nullable Correlation here, @Nullable Correlation around) {

    boolean isSame() {
      return here != null ? here.isSame() : around != null && around.isSame();
    }

    Earlier field(String name) {
      if (here == null) {
        return this;
      }
      boolean typeMeta = around == null && (name.equals("apiVersion") || name.equals("kind"));
      return typeMeta ? new Earlier(null, null) : new Earlier(here.field(name), here);
    }

    Earlier element(int index) {
      return here == null ? this : new Earlier(here.element(index), here);
    }
  }

  private void check(
      @Nullable Object value,
      @Nullable Object old,
      FieldPath path,
      Earlier earlier,
      FieldErrors errors) {
    if (value == null) {
      return;
    }
    for (var rule : own) {
      var error = rule.check(value, old, path);
      if (error != null && (rule.usesOldSelf() || !earlier.isSame())) {
        errors.add(error);
      }
    }
    switch (value) {
      case Tree tree -> checkFields(tree, old, path, earlier, errors);
      case List<?> list -> checkElements(list, old, path, earlier, errors);
      default -> {}
    }
  }

  private void checkFields(
      Tree tree, @Nullable Object old, FieldPath path, Earlier earlier, FieldErrors errors) {
    tree.fields()
        .forEach((name, value) -> {
          var oldValue = old instanceof Tree before ? before.get(name) : null;
          var property = properties.get(name);
          if (property != null) {
            property.check(value, oldValue, path.child(name), earlier.field(name), errors);
          } else if (additional != null && schema.property(name) == null) {
            additional.check(value, oldValue, path.key(name), earlier.field(name), errors);
          }
        });
  }

  private void checkElements(
      List<?> list, @Nullable Object old, FieldPath path, Earlier earlier, FieldErrors errors) {
    for (int i = 0; i < list.size() && items != null; i++) {
      items.check(
          list.get(i), counterpart(list.get(i), old), path.index(i), earlier.element(i), errors);
    }
  }

  /// The old element with the same keys; only lists that are maps have it.
  private @Nullable Object counterpart(@Nullable Object element, @Nullable Object old) {
    if (!schema.listType().equals("map")
        || !(element instanceof Tree tree)
        || !(old instanceof List<?> before)) {
      return null;
    }
    for (var each : before) {
      if (each instanceof Tree candidate
          && schema.listMapKeys().stream()
              .allMatch(key -> Objects.equals(candidate.get(key), tree.get(key)))) {
        return candidate;
      }
    }
    return null;
  }
}
