package io.berth.admission.policy;

import io.berth.admission.Lookup;
import io.berth.admission.request.Bindings;
import io.berth.admission.request.MatchConditions;
import io.berth.admission.request.Seen;
import io.berth.api.Tree;
import io.berth.schema.cel.Budget;
import io.berth.schema.policy.Evaluation;
import io.berth.schema.policy.Evaluation.BudgetSpentException;
import io.berth.schema.policy.Evaluation.Outcome;
import io.berth.schema.policy.Expression;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A validating policy, compiled. Safe for many threads.
public final class Judge {

  private static final int MAX_MESSAGE_BYTES = 5 * 1024;

  private final boolean ignoresErrors;
  private final MatchConditions conditions;
  private final List<Validation> validations = new ArrayList<>();
  private final List<Annotation> annotations = new ArrayList<>();
  private final Map<String, Expression> variables;

  private record Validation(Tree spec, Expression expression, @Nullable Expression message) {}

  private record Annotation(String key, Expression value) {}

  public Judge(Tree spec) {
    ignoresErrors = spec.textOrEmpty("failurePolicy").equals("Ignore");
    boolean params = spec.has("paramKind");
    var expressions = PolicyExpressions.composed();
    var known = Names.BASIC.withParams(params).withAuthorizer();
    for (var variable : spec.trees("variables")) {
      expressions.variable(variable.textOrEmpty("name"), variable.textOrEmpty("expression"), known);
    }
    conditions = new MatchConditions(spec.trees("matchConditions"), expressions, params);
    for (var each : spec.trees("validations")) {
      var words = each.textOrEmpty("messageExpression");
      validations.add(
          new Validation(
              each,
              expressions.compile(each.textOrEmpty("expression"), known, Result.BOOL),
              words.isEmpty()
                  ? null
                  : expressions.compile(words, Names.BASIC.withParams(params), Result.STRING)));
    }
    for (var each : spec.trees("auditAnnotations")) {
      annotations.add(
          new Annotation(
              each.textOrEmpty("key"),
              expressions.compile(
                  each.textOrEmpty("valueExpression"), known, Result.STRING, Result.NULL)));
    }
    variables = expressions.variables();
  }

  /// What a policy says about one request with one set of parameters.
  public record Verdict(List<Objection> objections, List<Note> notes, List<String> noteErrors) {

    static Verdict of(Objection objection) {
      return new Verdict(List.of(objection), List.of(), List.of());
    }
  }

  /// A validation that failed; `reason` is `""` when it failed by an error.
  public record Objection(int index, String message, String reason) {}

  /// Something for the audit log.
  public record Note(String key, String value) {}

  private static final Verdict SILENT = new Verdict(List.of(), List.of(), List.of());

  public Verdict judge(Seen seen, @Nullable Tree params, @Nullable Tree namespace, Lookup lookup) {
    if (!conditions.isEmpty()) {
      // As in Kubernetes, match conditions do not see the namespace.
      var answer =
          conditions.check(
              Bindings.of(seen, null).withParams(params).withAuthorizer(seen.attributes(), lookup));
      if (!answer.error().isEmpty()) {
        return error(answer.error());
      }
      if (!answer.matches()) {
        return SILENT;
      }
    }
    var basic = Bindings.of(seen, namespace).withParams(params);
    var budget = new Budget();
    var messages = new Evaluation(basic.values(), variables, budget);
    var evaluation =
        new Evaluation(basic.withAuthorizer(seen.attributes(), lookup).values(), variables, budget);
    try {
      return judge(evaluation, messages);
    } catch (BudgetSpentException e) {
      return error(e.text());
    }
  }

  /// What an error of the policy as a whole amounts to.
  private Verdict error(String message) {
    return ignoresErrors ? SILENT : Verdict.of(new Objection(0, message, ""));
  }

  private Verdict judge(Evaluation evaluation, Evaluation messages) throws BudgetSpentException {
    var outcomes = new ArrayList<Outcome>();
    for (var validation : validations) {
      outcomes.add(evaluation.evaluate(validation.expression));
    }
    var objections = new ArrayList<Objection>();
    for (int i = 0; i < outcomes.size(); i++) {
      var outcome = outcomes.get(i);
      if (outcome.isError()) {
        if (!ignoresErrors) {
          objections.add(new Objection(i, outcome.error(), ""));
        }
      } else if (!outcome.isTrue()) {
        objections.add(objection(i, messages));
      }
    }
    return annotated(objections, evaluation);
  }

  private Objection objection(int index, Evaluation messages) {
    var validation = validations.get(index);
    var reason = validation.spec.textOrEmpty("reason");
    String message;
    try {
      message = computed(validation.message, messages);
    } catch (BudgetSpentException e) {
      return new Objection(index, "failed messageExpression: " + e.text(), "");
    }
    if (message.isEmpty()) {
      message = validation.spec.textOrEmpty("message").strip();
    }
    if (message.isEmpty()) {
      message = "failed expression: " + validation.expression.source().strip();
    }
    return new Objection(index, message, reason.isEmpty() ? "Invalid" : reason);
  }

  /// The computed message, or `""` when it is of no use.
  private static String computed(@Nullable Expression expression, Evaluation messages)
      throws BudgetSpentException {
    if (expression == null || !(messages.evaluate(expression).value() instanceof String given)) {
      return "";
    }
    var text = given.strip();
    boolean usable =
        text.getBytes(StandardCharsets.UTF_8).length <= MAX_MESSAGE_BYTES && !text.contains("\n");
    return usable ? text : "";
  }

  private Verdict annotated(List<Objection> objections, Evaluation evaluation)
      throws BudgetSpentException {
    var notes = new ArrayList<Note>();
    var errors = new ArrayList<String>();
    for (var annotation : annotations) {
      var outcome = evaluation.evaluate(annotation.value);
      if (outcome.isError()) {
        if (!ignoresErrors) {
          errors.add(outcome.error());
        }
      } else if (outcome.value() instanceof String text && !text.isBlank()) {
        notes.add(new Note(annotation.key, text.strip()));
      }
    }
    return new Verdict(objections, notes, errors);
  }
}
