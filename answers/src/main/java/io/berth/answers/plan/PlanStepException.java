package io.berth.answers.plan;

/// A step that cannot be read, or speaks of what is not there: which one, what, and the way out.
public final class PlanStepException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public PlanStepException(String message) {
    super(message);
  }
}
