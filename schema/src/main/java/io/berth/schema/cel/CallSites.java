package io.berth.schema.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelMutableExpr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Which calls of an expression are next when a value is there.
final class CallSites {

  /// Their arguments are evaluated one by one, and perhaps not all.
  private static final Set<String> LAZY =
      Set.of("_&&_", "_||_", "_?_:_", "or", "orValue", "_?._", "type", "cel.@block");

  /// A call; the target, if there is one, is the first argument. Expressions are named by number.
  record Call(String function, List<Long> arguments) {}

  private final Map<Long, List<Call>> byLastArgument = new HashMap<>();
  private final Set<Long> foreseen = new HashSet<>();

  CallSites(CelAbstractSyntaxTree tree) {
    Walk.through(CelMutableAst.fromCelAst(tree).expr(), this::add);
  }

  private void add(CelMutableExpr expression) {
    if (expression.getKind() != CelExpr.ExprKind.Kind.CALL) {
      return;
    }
    var call = expression.call();
    var arguments = new ArrayList<Long>();
    call.target().ifPresent(target -> arguments.add(target.id()));
    call.args().forEach(argument -> arguments.add(argument.id()));
    if (!arguments.isEmpty() && !LAZY.contains(call.function())) {
      foreseen.add(expression.id());
      byLastArgument
          .computeIfAbsent(arguments.getLast(), _ -> new ArrayList<>())
          .add(new Call(call.function(), arguments));
    }
  }

  /// The calls whose last argument this is.
  List<Call> endingWith(long argument) {
    return byLastArgument.getOrDefault(argument, List.of());
  }

  /// Whether this is a call that was announced by its last argument.
  boolean isForeseen(long expression) {
    return foreseen.contains(expression);
  }
}
