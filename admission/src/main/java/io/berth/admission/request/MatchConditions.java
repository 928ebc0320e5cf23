package io.berth.admission.request;

import io.berth.api.Tree;
import io.berth.schema.cel.Budget;
import io.berth.schema.policy.Evaluation;
import io.berth.schema.policy.Evaluation.BudgetSpentException;
import io.berth.schema.policy.Expression;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The match conditions of a webhook or policy, compiled.
public final class MatchConditions {

  private final List<Expression> conditions = new ArrayList<>();
  private final Map<String, Expression> variables;

  public MatchConditions(List<Tree> conditions, PolicyExpressions expressions, boolean params) {
    var known = Names.BASIC.withParams(params).withAuthorizer();
    for (var condition : conditions) {
      this.conditions.add(
          expressions.compile(condition.textOrEmpty("expression"), known, Result.BOOL));
    }
    this.variables = expressions.variables();
  }

  /// Whether a request meets them all; `error` when that cannot be said.
  public record Answer(boolean matches, String error) {}

  public boolean isEmpty() {
    return conditions.isEmpty();
  }

  /// One condition that is false decides, whatever errors others have.
  public Answer check(Bindings bindings) {
    var evaluation = new Evaluation(bindings.values(), variables, Budget.ofMatchConditions());
    var errors = new LinkedHashSet<String>();
    for (var condition : conditions) {
      try {
        var outcome = evaluation.evaluate(condition);
        if (outcome.isFalse()) {
          return new Answer(false, "");
        }
        if (outcome.isError()) {
          errors.add(outcome.error());
        }
      } catch (BudgetSpentException e) {
        return new Answer(false, e.text());
      }
    }
    return new Answer(errors.isEmpty(), aggregate(errors));
  }

  private static String aggregate(Set<String> errors) {
    return errors.size() > 1
        ? "[%s]".formatted(String.join(", ", errors))
        : String.join("", errors);
  }
}
