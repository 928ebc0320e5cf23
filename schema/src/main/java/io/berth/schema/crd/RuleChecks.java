package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `x-kubernetes-validations` of a node: their words, and whether they compile.
final class RuleChecks {

  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  private RuleChecks() {}

  static void checkWords(Tree schema, FieldPath path, FieldErrors errors) {
    var rules = schema.trees("x-kubernetes-validations");
    for (int i = 0; i < rules.size(); i++) {
      var at = path.child("x-kubernetes-validations").index(i);
      checkMessage(rules.get(i), at, errors);
      checkRest(rules.get(i), schema, at, errors);
    }
  }

  private static void checkMessage(Tree rule, FieldPath path, FieldErrors errors) {
    var expression = rule.textOrEmpty("rule").strip();
    var message = rule.textOrEmpty("message");
    if (expression.isEmpty()) {
      errors.required(path.child("rule"), "rule is not specified");
    } else if (!message.isEmpty() && message.isBlank()) {
      errors.invalid(path.child("message"), message, "must be non-empty if specified");
    } else if (message.strip().contains("\n")) {
      errors.invalid(path.child("message"), message, "must not contain line breaks");
    } else if (expression.contains("\n") && message.isBlank()) {
      errors.required(
          path.child("message"), "message must be specified if rule contains line breaks");
    }
  }

  private static void checkRest(Tree rule, Tree schema, FieldPath path, FieldErrors errors) {
    var messageExpression = rule.textOrEmpty("messageExpression");
    if (!messageExpression.isEmpty() && messageExpression.isBlank()) {
      errors.required(
          path.child("messageExpression"), "messageExpression must be non-empty if specified");
    }
    var reason = rule.text("reason");
    if (reason != null && !REASONS.contains(reason)) {
      errors.notSupported(path.child("reason"), reason, REASONS);
    }
    var fieldPath = rule.textOrEmpty("fieldPath");
    if (fieldPath.isEmpty()) {
      return;
    }
    if (fieldPath.isBlank()) {
      errors.invalid(path.child("fieldPath"), fieldPath, "must be non-empty if specified");
    }
    if (fieldPath.contains("\n")) {
      errors.invalid(path.child("fieldPath"), fieldPath, "must not contain line breaks");
    }
    if (!SchemaPath.resolve(fieldPath, StructuralSchema.of(schema), true).isValid()) {
      errors.invalid(path.child("fieldPath"), fieldPath, "must be a valid path");
    }
  }

  /// Compiles the rules of a node without objections. `uncorrelatable` is the part of the schema in
  /// which values cannot be found again after an update, or `null`; `cardinality` is how often such
  /// a value can stand in an object, or `null` when only the size of a request limits it.
  static void compile(
      Tree schema,
      boolean resourceRoot,
      FieldPath path,
      @Nullable FieldPath uncorrelatable,
      @Nullable Double cardinality,
      RuleCosts costs,
      FieldErrors errors) {
    var rules = schema.trees("x-kubernetes-validations");
    if (rules.isEmpty()) {
      return;
    }
    var structure = StructuralSchema.of(schema);
    var sizes = DeclaredSizes.of(schema, resourceRoot);
    for (int i = 0; i < rules.size(); i++) {
      var rule = rules.get(i);
      var at = path.child("x-kubernetes-validations").index(i);
      var compiled = ExpressionRule.of(rule, structure, resourceRoot);
      if (sizes != null) {
        double times = cardinality == null ? sizes.cardinality() : cardinality;
        costs.note(
            "estimated rule cost", compiled.estimatedCost(sizes) * times, at.child("rule"), errors);
      }
      if (!compiled.problem().isEmpty()) {
        errors.invalid(at.child("rule"), shown(rule), compiled.problem());
      }
      if (!compiled.messageProblem().isEmpty()) {
        errors.invalid(at.child("messageExpression"), shown(rule), compiled.messageProblem());
      } else if (sizes != null) {
        costs.note(
            "estimated messageExpression cost",
            compiled.estimatedMessageCost(sizes),
            at.child("messageExpression"),
            errors);
      }
      if (compiled.usesOldSelf()) {
        if (uncorrelatable != null) {
          errors.invalid(
              at.child("rule"),
              rule.textOrEmpty("rule"),
              "oldSelf cannot be used on the uncorrelatable portion of the schema within "
                  + uncorrelatable);
        }
      } else if (rule.get("optionalOldSelf") != null) {
        errors.invalid(
            at.child("optionalOldSelf"),
            rule.get("optionalOldSelf"),
            "may not be set if oldSelf is not used in rule");
      }
    }
  }

  /// A rule as Kubernetes' messages show it.
  private static Tree shown(Tree rule) {
    return Tree.of(
        "Rule", rule.textOrEmpty("rule"),
        "Message", rule.textOrEmpty("message"),
        "MessageExpression", rule.textOrEmpty("messageExpression"),
        "Reason", rule.get("reason"),
        "FieldPath", rule.textOrEmpty("fieldPath"),
        "OptionalOldSelf", rule.get("optionalOldSelf"));
  }
}
