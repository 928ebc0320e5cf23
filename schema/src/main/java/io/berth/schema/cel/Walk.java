package io.berth.schema.cel;

import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.ast.CelMutableExpr.CelMutableStruct;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Ways through the parts of an expression.
final class Walk {

  private Walk() {}

  /// Every expression, the inner ones first.
  static void through(CelMutableExpr expression, Consumer<CelMutableExpr> visitor) {
    for (var inner : inside(expression)) {
      through(inner, visitor);
    }
    visitor.accept(expression);
  }

  private static List<CelMutableExpr> inside(CelMutableExpr expression) {
    return switch (expression.getKind()) {
      case SELECT -> List.of(expression.select().operand());
      case CALL -> {
        var all = new ArrayList<>(expression.call().args());
        expression.call().target().ifPresent(all::add);
        yield all;
      }
      case LIST -> expression.list().elements();
      case STRUCT ->
          expression.struct().entries().stream().map(CelMutableStruct.Entry::value).toList();
      case MAP -> {
        var all = new ArrayList<CelMutableExpr>();
        for (var entry : expression.map().entries()) {
          all.add(entry.key());
          all.add(entry.value());
        }
        yield all;
      }
      case COMPREHENSION -> {
        var loop = expression.comprehension();
        yield List.of(
            loop.iterRange(),
            loop.accuInit(),
            loop.loopCondition(),
            loop.loopStep(),
            loop.result());
      }
      default -> List.of();
    };
  }
}
