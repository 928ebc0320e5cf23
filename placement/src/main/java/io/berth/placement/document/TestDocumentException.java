package io.berth.placement.document;

import java.nio.file.Path;

/// A document that cannot be read as a test: where, what is wrong, and the way out.
public final class TestDocumentException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Path file;
  private final int line;
  private final String problem;

  public TestDocumentException(Path file, int line, int column, String problem) {
    super("%s:%d:%d: %s".formatted(file, line, column, problem));
    this.file = file;
    this.line = line;
    this.problem = problem;
  }

  public Path file() {
    return file;
  }

  public int line() {
    return line;
  }

  public String problem() {
    return problem;
  }
}
