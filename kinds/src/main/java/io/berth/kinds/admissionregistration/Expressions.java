package io.berth.kinds.admissionregistration;

import io.berth.kinds.meta.Cursor;
import io.berth.schema.crd.Identifiers;
import io.berth.schema.policy.Expression;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import java.util.regex.Pattern;

/// Objections to expressions and to the names of variables.
///
/// Mirrors: admissionregistration/validation.validateVariable
final class Expressions {

  private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");

  private Expressions() {}

  static void check(Cursor field, Expression expression) {
    if (!expression.problem().isEmpty()) {
      field.invalid(expression.problem());
    }
  }

  /// Checks variables in their order: each may name the ones before it.
  static void validateVariables(Cursor spec, PolicyExpressions expressions, Names known) {
    for (var variable : spec.each("variables")) {
      var name = variable.at("name");
      if (name.text().isBlank()) {
        name.missing("name is not specified");
      } else if (!IDENTIFIER.matcher(name.text()).matches()
          || Identifiers.isReserved(name.text())) {
        name.invalid("must be a valid CEL identifier");
      }
      var source = variable.at("expression");
      if (source.text().isBlank()) {
        source.missing("expression is not specified");
      } else {
        check(source, expressions.variable(name.text(), source.text(), known));
      }
    }
  }
}
