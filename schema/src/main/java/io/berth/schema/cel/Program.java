package io.berth.schema.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.Map;
import java.util.regex.Pattern;

/// A compiled expression. Safe for use by many threads.
public final class Program {

  private static final Pattern PLACE = Pattern.compile("^evaluation error( at [^ ]+)?: ");
  private static final Pattern MISSING_KEY = Pattern.compile("key '(.*)' is not present in map\\.");
  private static final Pattern NO_FIELDS =
      Pattern.compile(
          "Error resolving field '(.*)'\\. Field selections must be performed on messages or"
              + " maps\\.");
  private static final Pattern NO_TIME =
      Pattern.compile("Text '.*' could not be parsed.*", Pattern.DOTALL);

  private static final String EXHAUSTED = "operation cancelled: actual cost limit exceeded";

  private final CelAbstractSyntaxTree tree;
  private final CallSites sites;
  private final CelRuntime.Program program;
  private final CelType result;

  Program(CelAbstractSyntaxTree tree, CelRuntime.Program program, CelType result) {
    this.tree = tree;
    this.sites = new CallSites(tree);
    this.program = program;
    this.result = result;
  }

  public boolean isBool() {
    return result.kind() == CelKind.BOOL;
  }

  public boolean isString() {
    return result.kind() == CelKind.STRING;
  }

  /// The type of the value.
  public CelType result() {
    return result;
  }

  /// Whether the expression names this variable.
  public boolean uses(String variable) {
    return tree.getReferenceMap().values().stream()
        .anyMatch(reference -> reference.name().equals(variable));
  }

  /// What an evaluation can cost at most, in the units of Kubernetes.
  public double estimatedCost(Sizes sizes) {
    return CostEstimator.estimate(tree, sizes).max();
  }

  /// The value of the expression. What it costs is taken from the budget.
  public Object evaluate(Map<String, ?> variables, Budget budget) throws EvaluationException {
    try {
      return program.trace(variables, new Meter(budget, sites));
    } catch (CelEvaluationException e) {
      boolean exhausted = e.getErrorCode() == CelErrorCode.ITERATION_BUDGET_EXCEEDED;
      throw new EvaluationException(exhausted ? EXHAUSTED : words(e), exhausted);
    } catch (Budget.ExhaustedError | StackOverflowError e) {
      throw new EvaluationException(EXHAUSTED, true);
    }
  }

  /// The words Kubernetes has for it.
  private static String words(CelEvaluationException e) {
    var message = PLACE.matcher(String.valueOf(e.getMessage())).replaceFirst("");
    return switch (e.getErrorCode()) {
      case DIVIDE_BY_ZERO -> message.contains("mod") ? "modulus by zero" : "division by zero";
      case INDEX_OUT_OF_BOUNDS -> message.replaceFirst("^I", "i");
      case ATTRIBUTE_NOT_FOUND ->
          "no such key: "
              + NO_FIELDS
                  .matcher(MISSING_KEY.matcher(message).replaceFirst("$1"))
                  .replaceFirst("$1");
      case BAD_FORMAT -> conversion(message);
      case OVERLOAD_NOT_FOUND -> "no such overload";
      case NUMERIC_OVERFLOW -> "integer overflow";
      default -> message;
    };
  }

  private static String conversion(String message) {
    if (message.startsWith("For input string")) {
      return "type conversion error from 'string' to 'int'";
    }
    if (NO_TIME.matcher(message).matches()) {
      return "type conversion error from 'string' to 'google.protobuf.Timestamp'";
    }
    return message.startsWith("invalid duration")
        ? "type conversion error from 'string' to 'google.protobuf.Duration'"
        : message;
  }
}
