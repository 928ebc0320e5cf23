package io.berth.schema.crd;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import io.berth.api.FieldError;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.schema.cel.Budget;
import io.berth.schema.cel.CompilationException;
import io.berth.schema.cel.Environment;
import io.berth.schema.cel.EvaluationException;
import io.berth.schema.cel.Program;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One of the `x-kubernetes-validations` of a schema, compiled.
final class ExpressionRule {

  private static final String EXCEEDED = "call cost exceeds limit";
  private static final int MAX_MESSAGE_BYTES = 5 * 1024;

  private final Tree rule;
  private final StructuralSchema schema;
  private final boolean resourceRoot;
  private final @Nullable Program program;
  private final String problem;
  private final @Nullable Program message;
  private final String messageProblem;

  private ExpressionRule(Tree rule, StructuralSchema schema, boolean resourceRoot) {
    this.rule = rule;
    this.schema = schema;
    this.resourceRoot = resourceRoot;
    var types = new ExpressionTypes();
    var self = types.of(schema, resourceRoot);
    if (self == null || rule.textOrEmpty("rule").isBlank()) {
      program = null;
      message = null;
      problem = "";
      messageProblem = "";
      return;
    }
    var environment = new Environment(variables(self), types.declared());
    var compiled = compile(environment, rule.textOrEmpty("rule"));
    boolean isBool = compiled.program == null || compiled.program.isBool();
    problem =
        compiled.program == null
            ? "compilation failed: " + compiled.problem
            : isBool ? "" : "cel expression must evaluate to a bool";
    program = isBool ? compiled.program : null;
    var words = compile(environment, rule.textOrEmpty("messageExpression"));
    boolean isString = words.program == null || words.program.isString();
    messageProblem =
        !words.problem.isEmpty()
            ? "messageExpression compilation failed: " + words.problem
            : isString ? "" : "messageExpression must evaluate to a string";
    message = isString ? words.program : null;
  }

  static ExpressionRule of(Tree rule, StructuralSchema schema, boolean resourceRoot) {
    return new ExpressionRule(rule, schema, resourceRoot);
  }

  private Map<String, CelType> variables(CelType self) {
    return Map.of("self", self, "oldSelf", optionalOldSelf() ? OptionalType.create(self) : self);
  }

  private record Compiled(@Nullable Program program, String problem) {}

  private static Compiled compile(Environment environment, String expression) {
    if (expression.isBlank()) {
      return new Compiled(null, "");
    }
    try {
      return new Compiled(environment.compile(expression), "");
    } catch (CompilationException e) {
      return new Compiled(null, e.text());
    }
  }

  /// What is wrong with the rule itself, or `""`.
  String problem() {
    return problem;
  }

  String messageProblem() {
    return messageProblem;
  }

  /// What the rule can cost at most.
  double estimatedCost(DeclaredSizes sizes) {
    return program == null ? 0 : program.estimatedCost(sizes);
  }

  /// What its message can cost at most.
  double estimatedMessageCost(DeclaredSizes sizes) {
    return message == null ? 0 : message.estimatedCost(sizes);
  }

  boolean usesOldSelf() {
    return program != null && program.uses("oldSelf");
  }

  private boolean optionalOldSelf() {
    return rule.flag("optionalOldSelf");
  }

  /// The objection to a value, or `null`. `old` is `null` when there is nothing to compare with.
  @Nullable FieldError check(Object value, @Nullable Object old, FieldPath path, Budget budget) {
    if (!problem.isEmpty()) {
      return FieldError.invalid(path, schema.type(), "rule compile error: " + problem);
    }
    if (program == null || (usesOldSelf() && old == null && !optionalOldSelf())) {
      return null;
    }
    if (budget.isSpent()) {
      return FieldError.invalid(
          path,
          schema.type(),
          "validation failed due to running out of cost budget, no further validation rules will be"
              + " run");
    }
    var variables = new HashMap<String, Object>();
    variables.put("self", ExpressionValues.of(value, schema, resourceRoot));
    if (optionalOldSelf()) {
      variables.put(
          "oldSelf",
          old == null
              ? Optional.empty()
              : Optional.of(ExpressionValues.of(old, schema, resourceRoot)));
    } else if (old != null) {
      variables.put("oldSelf", ExpressionValues.of(old, schema, resourceRoot));
    }
    try {
      return Boolean.TRUE.equals(program.evaluate(variables, budget))
          ? null
          : objection(value, variables, path, budget);
    } catch (EvaluationException e) {
      return failure(e, path);
    }
  }

  private FieldError failure(EvaluationException e, FieldPath path) {
    var text = e.text();
    if (e.isExhausted()) {
      text =
          "'%s': no further validation rules will be run due to %s for rule: %s"
              .formatted(text, EXCEEDED, name());
    } else if (text.startsWith("no such overload")) {
      text =
          "'%s': call arguments did not match a supported operator, function or macro signature for rule: %s"
              .formatted(text, name());
    } else {
      text = text + " evaluating rule: " + name();
    }
    return FieldError.invalid(path, schema.type(), text);
  }

  /// Whether a rule was ended because of its cost: then no other is evaluated.
  static boolean isTooExpensive(@Nullable FieldError error) {
    return error != null && error.text().contains(EXCEEDED);
  }

  private String name() {
    var own = rule.textOrEmpty("message");
    return (own.isEmpty() ? rule.textOrEmpty("rule") : own).strip();
  }

  private FieldError objection(
      Object value, Map<String, Object> variables, FieldPath path, Budget budget) {
    var relative = SchemaPath.resolve(rule.textOrEmpty("fieldPath"), schema, true).text();
    var at = relative.isEmpty() ? path : path.child(relative);
    var detail = detail(variables, budget);
    boolean whole = schema.type().equals("object") || schema.type().equals("array");
    return switch (rule.textOrEmpty("reason")) {
      case "FieldValueForbidden" -> FieldError.forbidden(at, detail);
      case "FieldValueRequired" -> FieldError.required(at, detail);
      case "FieldValueDuplicate" ->
          whole
              ? new FieldError(FieldError.Type.DUPLICATE, at.toString(), "Duplicate value")
              : FieldError.duplicate(at, value);
      default ->
          whole
              ? FieldError.invalidWithoutValue(at, detail)
              : FieldError.invalid(at, value, detail);
    };
  }

  /// As in Kubernetes, a message that cannot be computed is replaced by the fixed one.
  private String detail(Map<String, Object> variables, Budget budget) {
    if (message != null) {
      try {
        var text = String.valueOf(message.evaluate(variables, budget)).strip();
        if (!text.isEmpty() && !text.contains("\n") && text.length() <= MAX_MESSAGE_BYTES) {
          return text;
        }
      } catch (EvaluationException e) {
        // The fixed message follows.
      }
    }
    var own = rule.textOrEmpty("message").strip();
    return own.isEmpty() ? "failed rule: " + rule.textOrEmpty("rule").strip() : own;
  }
}
