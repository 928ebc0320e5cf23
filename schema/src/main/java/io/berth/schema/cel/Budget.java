package io.berth.schema.cel;

/// What the expressions about one object may cost together, and each of them by itself.
///
/// The units are those of Kubernetes: one for every name and field, and for calls what
/// [RuntimeCosts] says. Used by one thread.
public final class Budget {

  private static final long PER_OBJECT = 10_000_000;
  private static final long PER_MATCH_CONDITIONS = 2_500_000;
  static final long PER_CALL = 1_000_000;

  private double left;

  public Budget() {
    this(PER_OBJECT);
  }

  private Budget(double left) {
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

  void take(double cost) {
    left -= cost;
  }

  /// Whether more was taken than there was.
  boolean isOverdrawn() {
    return left < 0;
  }

  /// Ends an evaluation. An error, because the library takes exceptions for values where others may
  /// still decide, and would go on.
  static final class ExhaustedError extends Error {

    private static final long serialVersionUID = 1L;

    ExhaustedError() {
      super("the expression costs too much", null, false, false);
    }
  }
}
