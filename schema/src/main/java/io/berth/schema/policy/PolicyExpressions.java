package io.berth.schema.policy;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import io.berth.schema.cel.AuthorizerFunctions;
import io.berth.schema.cel.CompilationException;
import io.berth.schema.cel.Environment;
import io.berth.schema.cel.Program;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Compiles the expressions of one policy, whose variables later expressions may name.
///
/// Used by one thread; what it compiled is safe for many.
public final class PolicyExpressions {

  private final boolean composed;
  private final CelType object;
  private final CelType params;
  private final StructTypes types = new StructTypes();
  private final CelType request = RequestTypes.request(types);
  private final CelType namespace = RequestTypes.namespace(types);
  private final Map<String, CelType> variableTypes = new HashMap<>();
  private final Map<String, Expression> variables = new LinkedHashMap<>();
  private final Map<Names, Environment> environments = new HashMap<>();

  private PolicyExpressions(boolean composed, CelType object, CelType params) {
    this.composed = composed;
    this.object = object;
    this.params = params;
  }

  /// Expressions that may name `variables`.
  public static PolicyExpressions composed() {
    return new PolicyExpressions(true, SimpleType.DYN, SimpleType.DYN);
  }

  /// Expressions by themselves, as match conditions are checked.
  public static PolicyExpressions single() {
    return new PolicyExpressions(false, SimpleType.DYN, SimpleType.DYN);
  }

  /// Expressions about objects whose fields are known.
  static PolicyExpressions typed(@Nullable Declared object, @Nullable Declared params) {
    var expressions =
        new PolicyExpressions(
            true,
            object == null ? SimpleType.DYN : object.type(),
            params == null ? SimpleType.DYN : params.type());
    if (object != null) {
      expressions.types.addAll(object.types());
    }
    if (params != null) {
      expressions.types.addAll(params.types());
    }
    return expressions;
  }

  /// A type and those it is made of.
  record Declared(CelType type, StructTypes types) {}

  /// Compiles a variable and makes it known to the expressions that follow.
  public Expression variable(String name, String source, Names names) {
    var compiled = compile(source, names);
    variables.put(name, compiled);
    var program = compiled.program();
    variableTypes.put(name, program == null ? SimpleType.DYN : visible(program.result()));
    environments.clear();
    return compiled;
  }

  /// The variables so far, by name.
  public Map<String, Expression> variables() {
    return Map.copyOf(variables);
  }

  /// Compiles an expression, which must have one of these types; any, if there are none.
  public Expression compile(String source, Names names, Result... wanted) {
    Program program;
    try {
      program = environments.computeIfAbsent(names, this::environment).compile(source);
    } catch (CompilationException e) {
      return Expression.broken(source, "compilation failed: " + e.text());
    }
    var actual = TypeNames.of(program.result());
    if (wanted.length == 0 || Arrays.stream(wanted).anyMatch(each -> each.type().equals(actual))) {
      return Expression.of(source, program);
    }
    var list = Arrays.stream(wanted).map(Result::type).collect(Collectors.joining(" "));
    return Expression.broken(
        source,
        wanted.length == 1
            ? "must evaluate to %s but got %s".formatted(list, actual)
            : "must evaluate to one of [%s] but got %s".formatted(list, actual));
  }

  private Environment environment(Names names) {
    var all = new HashMap<String, CelType>();
    all.put("object", object);
    all.put("oldObject", object);
    all.put("request", request);
    all.put("namespaceObject", namespace);
    if (names.params()) {
      all.put("params", params);
    }
    if (names.authorizer()) {
      all.put("authorizer", AuthorizerFunctions.AUTHORIZER);
      all.put("authorizer.requestResource", AuthorizerFunctions.RESOURCE_CHECK);
    }
    var known = new StructTypes().addAll(types);
    if (composed) {
      all.put("variables", known.declare("kubernetes.variables", variableTypes));
    }
    return new Environment(all, known.provider(), names.objects());
  }

  /// What the type of a variable tells others: as in Kubernetes, nothing of objects.
  private static CelType visible(CelType type) {
    return switch (type) {
      case SimpleType simple -> simple;
      case ListType list -> ListType.create(visible(list.elemType()));
      case MapType map -> MapType.create(visible(map.keyType()), visible(map.valueType()));
      default -> SimpleType.DYN;
    };
  }
}
