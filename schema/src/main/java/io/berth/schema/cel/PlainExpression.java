package io.berth.schema.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An expression over values without a declared type: maps, lists, texts, numbers.
public final class PlainExpression {

  private final Program program;

  private PlainExpression(Program program) {
    this.program = program;
  }

  public static PlainExpression of(String expression, List<String> variables)
      throws CompilationException {
    var types = new LinkedHashMap<String, CelType>();
    variables.forEach(name -> types.put(name, SimpleType.DYN));
    return new PlainExpression(new Environment(types, new NoTypes()).compile(expression));
  }

  /// Costs at most what Kubernetes allows all expressions about an object together.
  public Object evaluate(Map<String, ?> values) throws EvaluationException {
    return program.evaluate(values, new Budget());
  }

  private record NoTypes() implements CelTypeProvider {

    @Override
    public ImmutableList<CelType> types() {
      return ImmutableList.of();
    }

    @Override
    public Optional<CelType> findType(String name) {
      return Optional.empty();
    }
  }
}
