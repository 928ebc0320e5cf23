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
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Map;
import java.util.regex.Pattern;

/// What expressions may name: variables and their types, and the functions of Kubernetes.
public final class Environment {

  private static final Pattern SYNTAX =
      Pattern.compile(
          "(?m)^(ERROR: [^ ]+ )((?:mismatched input|extraneous input|no viable alternative|missing"
              + " |token recognition error).*)$");
  private static final Pattern CANDIDATES =
      Pattern.compile(
          "(?m)(found no matching overload for .* applied to '.*') \\(candidates: .*\\)$");
  private static final int MAX_ITERATIONS = 1_000_000;

  private final CelCompiler compiler;

  public Environment(Map<String, CelType> variables, CelTypeProvider types) {
    var builder = Shared.COMPILER.toCompilerBuilder().setTypeProvider(types);
    variables.forEach(builder::addVar);
    this.compiler = builder.build();
  }

  public Program compile(String expression) throws CompilationException {
    try {
      var tree = checked(compiler.check(checked(compiler.parse(expression))));
      return new Program(tree, Shared.RUNTIME.createProgram(tree));
    } catch (CelEvaluationException e) {
      throw new CompilationException(String.valueOf(e.getMessage()));
    }
  }

  private static CelAbstractSyntaxTree checked(CelValidationResult result)
      throws CompilationException {
    if (result.hasError()) {
      throw new CompilationException(words(result.getErrorString()));
    }
    try {
      return result.getAst();
    } catch (CelValidationException e) {
      throw new CompilationException(words(String.valueOf(e.getMessage())));
    }
  }

  /// The words Kubernetes has for it.
  private static String words(String errors) {
    var syntax = SYNTAX.matcher(errors).replaceAll("$1Syntax error: $2");
    return CANDIDATES.matcher(syntax).replaceAll("$1");
  }

  /// Built once, on first use.
  private static final class Shared {

    private static final CelOptions OPTIONS =
        CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .comprehensionMaxIterations(MAX_ITERATIONS)
            .build();

    private static final Functions FUNCTIONS = KubernetesFunctions.all();

    static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(
                CelExtensions.optional(),
                CelExtensions.strings(),
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
                CelExtensions.strings(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.lists(),
                CelExtensions.comprehensions())
            .addFunctionBindings(FUNCTIONS.bindings())
            .build();
  }
}
