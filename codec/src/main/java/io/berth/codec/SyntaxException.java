package io.berth.codec;

/// Text that is not JSON or YAML, or exceeds a limit, and where: line and column count from 1.
public final class SyntaxException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final int line;
  private final int column;

  public SyntaxException(String message, int line, int column) {
    super(message);
    this.line = line;
    this.column = column;
  }

  public int line() {
    return line;
  }

  public int column() {
    return column;
  }
}
