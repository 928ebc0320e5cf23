package io.berth.schema.policy;

import io.berth.schema.cel.Program;
import org.jspecify.annotations.Nullable;

/// An expression of a policy, compiled, or what is wrong with it.
public final class Expression {

  private final String source;
  private final @Nullable Program program;
  private final String problem;

  private Expression(String source, @Nullable Program program, String problem) {
    this.source = source;
    this.program = program;
    this.problem = problem;
  }

  static Expression of(String source, Program program) {
    return new Expression(source, program, "");
  }

  static Expression broken(String source, String problem) {
    return new Expression(source, null, problem);
  }

  public String source() {
    return source;
  }

  /// What is wrong with it, in Kubernetes' words, or `""`.
  public String problem() {
    return problem;
  }

  @Nullable Program program() {
    return program;
  }
}
