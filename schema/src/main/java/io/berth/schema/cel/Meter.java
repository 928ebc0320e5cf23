package io.berth.schema.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import dev.cel.runtime.ConcatenatedListView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Counts the steps of one evaluation, and ends it when they are too many or make too much.
///
/// It is told of every value as soon as there is one. When the last argument of a call is there,
/// the call is next: what it will cost is taken before it is made, and one that would make more
/// than may be made never is. Used by one thread.
final class Meter implements CelEvaluationListener {

  /// Characters and elements that one evaluation may make, and that one value may consist of. Texts
  /// of this length cost about all that Kubernetes allows.
  static final double MOST_MADE = 8 << 20;

  /// Calls that give back what is there already.
  private static final Set<String> HAND_ON =
      Set.of(
          "_[_]",
          "_[?_]",
          "_?._",
          "_?_:_",
          "dyn",
          "value",
          "or",
          "orValue",
          "optional.of",
          "optional.ofNonZeroValue");

  private final Budget budget;
  private final CallSites sites;
  private final Weights weights = new Weights();
  private final RuntimeCosts costs = new RuntimeCosts(weights);
  private final Map<Long, Object> values = new HashMap<>();
  private double spent;
  private double made;

  Meter(Budget budget, CallSites sites) {
    this.budget = budget;
    this.sites = sites;
  }

  @Override
  public void callback(CelExpr expression, Object result) {
    switch (expression.getKind()) {
      case IDENT, SELECT -> spend(1);
      case LIST -> spend(10);
      case MAP, STRUCT -> spend(30);
      case CALL -> spend(sites.isForeseen(expression.id()) ? 0 : 1);
      default -> {}
    }
    note(expression, result);
    values.put(expression.id(), result);
    for (var call : sites.endingWith(expression.id())) {
      foresee(call);
    }
  }

  private void foresee(CallSites.Call call) {
    var arguments = new ArrayList<Object>();
    for (var argument : call.arguments()) {
      var value = values.get(argument);
      if (value == null) {
        return;
      }
      arguments.add(value);
    }
    spend(costs.cost(call.function(), arguments));
    if (made + added(arguments, costs.made(call.function(), arguments)) > MOST_MADE) {
      throw new Budget.ExhaustedError();
    }
  }

  /// What a loop gathers grows in its place, and is counted by what comes to it.
  private static double added(List<Object> arguments, double size) {
    return arguments.size() == 2 && arguments.getFirst() instanceof ConcatenatedListView<?>
        ? Weights.size(arguments.get(1))
        : size;
  }

  private void note(CelExpr expression, Object result) {
    boolean isNew =
        switch (expression.getKind()) {
          case LIST, MAP, STRUCT, COMPREHENSION -> true;
          case CALL -> !HAND_ON.contains(expression.call().function());
          default -> false;
        };
    if (!isNew || result instanceof Number || result instanceof Boolean) {
      return;
    }
    if (result instanceof ConcatenatedListView<?>) {
      made += 1;
    } else {
      made += Weights.size(result);
      if (weights.of(result) > MOST_MADE) {
        throw new Budget.ExhaustedError();
      }
    }
    if (made > MOST_MADE) {
      throw new Budget.ExhaustedError();
    }
  }

  private void spend(double cost) {
    spent += cost;
    budget.take(cost);
    if (isExhausted()) {
      throw new Budget.ExhaustedError();
    }
  }

  boolean isExhausted() {
    return spent > Budget.PER_CALL || budget.isOverdrawn();
  }
}
