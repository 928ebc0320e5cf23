package io.berth.scheduler;

/// An extender did not answer, or answered with an error.
public final class ExtenderException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ExtenderException(String message) {
    super(message);
  }

  public ExtenderException(String message, Throwable cause) {
    super(message, cause);
  }
}
