package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.schema.cel.Budget;
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
    new Check(errors, new FieldErrors())
        .value(this, object, old, FieldPath.ROOT, new Earlier(before, null));
  }

  /// The objections that `before` forgives.
  FieldErrors forgiven(Tree object, Tree old, Correlation before) {
    var forgiven = new FieldErrors();
    new Check(new FieldErrors(), forgiven)
        .value(this, object, old, FieldPath.ROOT, new Earlier(before, null));
    return forgiven;
  }

  /// Objections to a value that stands by itself, such as a default.
  void check(Object value, @Nullable Object old, FieldPath path, FieldErrors errors) {
    new Check(errors, new FieldErrors()).value(this, value, old, path, new Earlier(null, null));
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

  /// One walk through a value. It ends when the budget does.
  private static final class Check {

    private final FieldErrors errors;
    private final FieldErrors forgiven;
    private final Budget budget = new Budget();
    private boolean over;

    Check(FieldErrors errors, FieldErrors forgiven) {
      this.errors = errors;
      this.forgiven = forgiven;
    }

    void value(
        ExpressionRules rules,
        @Nullable Object value,
        @Nullable Object old,
        FieldPath path,
        Earlier earlier) {
      if (value == null) {
        return;
      }
      for (var rule : rules.own) {
        if (over) {
          return;
        }
        var error = rule.check(value, old, path, budget);
        over = budget.isSpent() || ExpressionRule.isTooExpensive(error);
        if (error != null) {
          (rule.usesOldSelf() || !earlier.isSame() ? errors : forgiven).add(error);
        }
      }
      switch (value) {
        case Tree tree -> fields(rules, tree, old, path, earlier);
        case List<?> list -> elements(rules, list, old, path, earlier);
        default -> {}
      }
    }

    private void fields(
        ExpressionRules rules, Tree tree, @Nullable Object old, FieldPath path, Earlier earlier) {
      tree.fields()
          .forEach((name, value) -> {
            var oldValue = old instanceof Tree before ? before.get(name) : null;
            var property = rules.properties.get(name);
            if (property != null) {
              value(property, value, oldValue, path.child(name), earlier.field(name));
            } else if (rules.additional != null && rules.schema.property(name) == null) {
              value(rules.additional, value, oldValue, path.key(name), earlier.field(name));
            }
          });
    }

    private void elements(
        ExpressionRules rules,
        List<?> list,
        @Nullable Object old,
        FieldPath path,
        Earlier earlier) {
      for (int i = 0; i < list.size() && rules.items != null; i++) {
        var element = list.get(i);
        value(
            rules.items,
            element,
            rules.counterpart(element, old),
            path.index(i),
            earlier.element(i));
      }
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
