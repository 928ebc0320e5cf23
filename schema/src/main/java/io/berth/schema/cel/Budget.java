package io.berth.schema.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;

/// What the expressions about one object may cost together, and each of them by itself.
///
/// The units are roughly those of Kubernetes: one for every name, field and call that is evaluated.
/// Used by one thread.
public final class Budget {

  private static final long PER_OBJECT = 10_000_000;
  private static final long PER_MATCH_CONDITIONS = 2_500_000;
  private static final long PER_CALL = 1_000_000;

  private long left;

  public Budget() {
    this(PER_OBJECT);
  }

  private Budget(long left) {
    this.left = left;
  }

  /// What the match conditions of one webhook or binding may cost.
  public static Budget ofMatchConditions() {
    return new Budget(PER_MATCH_CONDITIONS);
  }

  /// Whether there is nothing left.
  public boolean isSpent() {
    return left <= 0;
  }

  Meter call() {
    return new Meter();
  }

  /// Counts the steps of one evaluation, and ends it when they are too many.
  final class Meter implements CelEvaluationListener {

    private long spent;

    @Override
    public void callback(CelExpr expression, Object result) {
      switch (expression.getKind()) {
        case IDENT, SELECT, CALL -> spend(1);
        case LIST -> spend(10);
        case MAP, STRUCT -> spend(30);
        default -> {}
      }
    }

    private void spend(long cost) {
      spent += cost;
      left -= cost;
      if (spent > PER_CALL || left < 0) {
        throw new ExhaustedException();
      }
    }

    boolean isExhausted() {
      return spent > PER_CALL || left < 0;
    }
  }

  /// Ends an evaluation.
  static final class ExhaustedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ExhaustedException() {
      super("the expression costs too much", null, false, false);
    }
  }
}
