package io.berth.schema.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/// What expressions may name: variables and their types, and the functions of Kubernetes.
public final class Environment {

  private static final int MAX_ITERATIONS = 1_000_000;

  private final CelCompiler compiler;
  private final CelTypeProvider types;
  private final boolean objects;

  public Environment(Map<String, CelType> variables, CelTypeProvider types) {
    this(variables, types, false);
  }

  /// `objects` says that expressions may make `Object{…}` and `JSONPatch{…}`.
  public Environment(Map<String, CelType> variables, CelTypeProvider types, boolean objects) {
    var builder = Shared.COMPILER.toCompilerBuilder().setTypeProvider(types);
    variables.forEach(builder::addVar);
    this.compiler = builder.build();
    this.types = types;
    this.objects = objects;
  }

  public Program compile(String expression) throws CompilationException {
    try {
      var parsed = checked(compiler.parse(expression));
      if (objects) {
        return compileConstructing(new ObjectConstruction(parsed), parsed);
      }
      var tree = sensible(checked(compiler.check(parsed)));
      return new Program(tree, Shared.RUNTIME.createProgram(tree), tree.getResultType());
    } catch (CelEvaluationException e) {
      throw new CompilationException(String.valueOf(e.getMessage()));
    }
  }

  /// Checked as it is written, and evaluated as it is rewritten.
  private Program compileConstructing(ObjectConstruction objectTypes, CelAbstractSyntaxTree parsed)
      throws CompilationException, CelEvaluationException {
    var knowing = compiler.toCompilerBuilder().setTypeProvider(objectTypes.types(types)).build();
    var result = sensible(checked(knowing.check(parsed))).getResultType();
    var tree = checked(knowing.check(objectTypes.rewritten()));
    return new Program(tree, Shared.RUNTIME.createProgram(tree), result);
  }

  private static CelAbstractSyntaxTree sensible(CelAbstractSyntaxTree tree)
      throws CompilationException {
    var problems = LiteralChecks.problems(tree);
    if (!problems.isEmpty()) {
      throw new CompilationException(problems);
    }
    return tree;
  }

  private static CelAbstractSyntaxTree checked(CelValidationResult result)
      throws CompilationException {
    if (result.hasError()) {
      throw new CompilationException(Issues.shown(result.getErrors(), result.getSource()));
    }
    try {
      return result.getAst();
    } catch (CelValidationException e) {
      throw new CompilationException(Issues.shown(e.getErrors(), e.getSource()));
    }
  }

  /// Built once, on first use.
  private static final class Shared {

    private static final CelOptions OPTIONS =
        CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .comprehensionMaxIterations(MAX_ITERATIONS)
            .build();

    /// Version 2 of the library, as in Kubernetes: all but what came later.
    private static final Set<CelStringExtensions.Function> STRINGS =
        EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE));

    private static final Functions FUNCTIONS = KubernetesFunctions.all();

    static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(
                CelExtensions.optional(),
                CelExtensions.strings(STRINGS),
                CelExtensions.sets(OPTIONS),
                CelExtensions.lists(),
                CelExtensions.comprehensions())
            .addFunctionDeclarations(FUNCTIONS.declarations())
            .build();

    static final CelRuntime RUNTIME =
        CelRuntimeFactory.legacyCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                CelExtensions.optional(),
                CelExtensions.strings(STRINGS),
                CelExtensions.sets(OPTIONS),
                CelExtensions.lists(),
                CelExtensions.comprehensions())
            .addFunctionBindings(FUNCTIONS.bindings())
            .build();
  }
}
