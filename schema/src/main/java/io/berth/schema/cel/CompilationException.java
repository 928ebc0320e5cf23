package io.berth.schema.cel;

/// An expression that makes no sense; the message shows where.
public final class CompilationException extends Exception {

  private static final long serialVersionUID = 1L;

  CompilationException(String message) {
    super(message);
  }

  public String text() {
    return String.valueOf(getMessage());
  }
}
