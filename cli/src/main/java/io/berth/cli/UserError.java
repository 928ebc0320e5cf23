package io.berth.cli;

/// Something the user can mend: printed as one line, never with a stack trace.
public final class UserError extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int exitCode;

  /// The request could not be carried out; exit code 1.
  public UserError(String message) {
    this(message, 1);
  }

  private UserError(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  /// The command line itself makes no sense; exit code 2.
  public static UserError usage(String message) {
    return new UserError(message, 2);
  }

  public int exitCode() {
    return exitCode;
  }
}
