package io.berth.schema.policy;

import dev.cel.common.exceptions.CelInvalidArgumentException;
import io.berth.schema.cel.Budget;
import io.berth.schema.cel.EvaluationException;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The values of one policy's expressions for one request.
///
/// A variable is evaluated when it is first named, and once. Used by one thread.
public final class Evaluation {

  private static final String OVER =
      "validation failed due to running out of cost budget, no further validation rules will be"
          + " run";

  private final Map<String, Object> bindings;
  private final Budget budget;

  /// `bindings` are what [Values] or the authorizer made, by name.
  public Evaluation(
      Map<String, Object> bindings, Map<String, Expression> variables, Budget budget) {
    this.bindings = new HashMap<>(bindings);
    this.bindings.put("variables", new Variables(variables));
    this.budget = budget;
  }

  /// What came of an expression: a value, or an error in Kubernetes' words.
  public record Outcome(@Nullable Object value, String error) {

    public boolean isError() {
      return !error.isEmpty();
    }

    public boolean isTrue() {
      return Boolean.TRUE.equals(value);
    }

    public boolean isFalse() {
      return Boolean.FALSE.equals(value);
    }
  }

  /// Thrown when the budget of the policy is spent: then no other expression is evaluated.
  public static final class BudgetSpentException extends Exception {

    private static final long serialVersionUID = 1L;

    BudgetSpentException() {
      super(OVER, null, false, false);
    }

    public String text() {
      return OVER;
    }
  }

  public Outcome evaluate(Expression expression) throws BudgetSpentException {
    var program = expression.program();
    if (program == null) {
      return new Outcome(null, "compilation error: " + expression.problem());
    }
    try {
      return new Outcome(program.evaluate(bindings, budget), "");
    } catch (EvaluationException e) {
      if (e.isExhausted() && budget.isSpent()) {
        throw new BudgetSpentException();
      }
      return new Outcome(
          null, "expression '%s' resulted in error: %s".formatted(expression.source(), e.text()));
    }
  }

  /// `variables`, each evaluated on demand.
  private final class Variables extends AbstractMap<String, Object> {

    private final Map<String, Expression> all;
    private final Map<String, Object> known = new HashMap<>();

    Variables(Map<String, Expression> all) {
      this.all = all;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
      return all.containsKey(name);
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
      if (!(name instanceof String key) || !all.containsKey(key)) {
        return null;
      }
      var value = known.get(key);
      if (value == null) {
        value = compute(key, all.get(key));
        known.put(key, value);
      }
      return value;
    }

    private Object compute(String name, @Nullable Expression expression) {
      var program = expression == null ? null : expression.program();
      if (expression == null || program == null) {
        throw new CelInvalidArgumentException(
            "composited variable \"%s\" fails to compile: %s"
                .formatted(name, expression == null ? "" : expression.problem()));
      }
      try {
        return program.evaluate(bindings, budget);
      } catch (EvaluationException e) {
        throw new CelInvalidArgumentException(
            "composited variable \"%s\" fails to evaluate: %s".formatted(name, e.text()));
      }
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
      all.keySet().forEach(this::get);
      return Map.copyOf(known).entrySet();
    }
  }
}
