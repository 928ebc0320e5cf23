package io.berth.kinds.admissionregistration;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.schema.crd.Identifiers;
import io.berth.schema.policy.Expression;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import java.util.List;
import java.util.regex.Pattern;

/// Objections to expressions and to the names of variables.
final class Expressions {

  private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");

  private Expressions() {}

  static void check(Expression expression, FieldPath path, FieldErrors errors) {
    check(expression, expression.source(), path, errors);
  }

  /// `shown` is the expression as it was written.
  static void check(Expression expression, String shown, FieldPath path, FieldErrors errors) {
    if (!expression.problem().isEmpty()) {
      errors.invalid(path, shown, expression.problem());
    }
  }

  /// Checks variables in their order: each may name the ones before it.
  static void validateVariables(
      List<Tree> variables,
      PolicyExpressions expressions,
      Names known,
      FieldPath path,
      FieldErrors errors) {
    for (int i = 0; i < variables.size(); i++) {
      var at = path.index(i);
      var name = variables.get(i).textOrEmpty("name");
      if (name.isBlank()) {
        errors.required(at.child("name"), "name is not specified");
      } else if (!IDENTIFIER.matcher(name).matches() || Identifiers.isReserved(name)) {
        errors.invalid(at.child("name"), name, "must be a valid CEL identifier");
      }
      var source = variables.get(i).textOrEmpty("expression");
      if (source.isBlank()) {
        errors.required(at.child("expression"), "expression is not specified");
      } else {
        check(expressions.variable(name, source, known), at.child("expression"), errors);
      }
    }
  }
}
