package io.berth.schema.cel;

/// An expression that has no value for these variables: `no such key: a`, `division by zero`.
public final class EvaluationException extends Exception {

  private static final long serialVersionUID = 1L;

  private final boolean exhausted;

  EvaluationException(String message, boolean exhausted) {
    super(message);
    this.exhausted = exhausted;
  }

  public String text() {
    return String.valueOf(getMessage());
  }

  /// Whether it was ended because it took too long.
  public boolean isExhausted() {
    return exhausted;
  }
}
