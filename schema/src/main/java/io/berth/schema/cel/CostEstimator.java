package io.berth.schema.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What an expression can cost at most, before it is evaluated: the units, the rules and the slips
/// are those of Kubernetes, since they decide which definitions it accepts.
///
/// Every value has a path from a variable, by which its declared size is found, or a size that
/// follows from how it was made. Names and fields cost one, new lists ten, new maps thirty; a loop
/// costs as often as its range is long. Calls are in [CallCosts].
final class CostEstimator {

  private static final Span LIST = Span.of(10);
  private static final Span MAP = Span.of(30);
  private static final Span STRUCT = Span.of(40);

  private final CelAbstractSyntaxTree tree;
  private final Sizes declared;
  private final CallCosts calls;
  private final Map<Long, List<String>> paths = new HashMap<>();
  private final Map<Long, Span> sizes = new HashMap<>();
  private final Map<Long, Elements> elements = new HashMap<>();
  private final Map<String, Deque<Local>> locals = new HashMap<>();

  private CostEstimator(CelAbstractSyntaxTree tree, Sizes declared) {
    this.tree = tree;
    this.declared = declared;
    this.calls = new CallCosts(declared);
  }

  static Span estimate(CelAbstractSyntaxTree tree, Sizes declared) {
    return new CostEstimator(tree, declared).cost(tree.getExpr());
  }

  /// The sizes of the keys and values of a list or map.
  private record Elements(boolean list, Span key, Span value) {

    static @Nullable Elements union(@Nullable Elements one, @Nullable Elements other) {
      return one == null || other == null
          ? null
          : new Elements(one.list, one.key.or(other.key), one.value.or(other.value));
    }
  }

  private record Local(List<String> path, @Nullable Span size, @Nullable Elements elements) {}

  private Span cost(CelExpr expression) {
    return switch (expression.getKind()) {
      case IDENT -> ident(expression);
      case SELECT -> select(expression);
      case CALL -> call(expression);
      case LIST -> list(expression);
      case MAP -> map(expression);
      case STRUCT -> {
        var sum = STRUCT;
        for (var entry : expression.struct().entries()) {
          sum = sum.plus(cost(entry.value()));
        }
        yield sum;
      }
      case COMPREHENSION -> isBinding(expression) ? binding(expression) : loop(expression);
      case CONSTANT, NOT_SET -> Span.ZERO;
    };
  }

  private Span ident(CelExpr expression) {
    var name = expression.ident().name();
    var local = local(name);
    paths.put(expression.id(), local == null ? List.of(name) : local.path);
    return Span.ONE;
  }

  private Span select(CelExpr expression) {
    var select = expression.select();
    var sum = cost(select.operand());
    if (select.testOnly()) {
      return sum;
    }
    paths.put(expression.id(), below(path(select.operand()), select.field()));
    return switch (type(select.operand()).kind()) {
      case MAP, STRUCT, TYPE_PARAM -> sum.plus(Span.ONE);
      default -> sum;
    };
  }

  private Span call(CelExpr expression) {
    var call = expression.call();
    if (call.function().equals("dyn") && !call.args().isEmpty()) {
      var argument = call.args().getFirst();
      var cost = cost(argument).plus(Span.ONE);
      copySizes(expression, argument);
      return cost;
    }
    var costs = new ArrayList<Span>();
    var arguments = new ArrayList<CallCosts.Node>();
    for (var argument : call.args()) {
      costs.add(cost(argument));
      arguments.add(node(argument));
    }
    var overloads =
        tree.getReference(expression.id()).map(found -> found.overloadIds()).orElse(null);
    if (overloads == null || overloads.isEmpty()) {
      return Span.ZERO;
    }
    var target = call.target().orElse(null);
    var sum = target == null ? Span.ZERO : cost(target);
    var targetNode = target == null ? null : node(target);
    Span cost = null;
    Span size = null;
    for (var overload : overloads) {
      noteElements(expression, overload);
      var each = calls.of(call.function(), overload, targetNode, arguments, costs);
      cost = cost == null ? each.cost() : cost.or(each.cost());
      if (each.size() != null) {
        size = size == null ? each.size() : size.or(each.size());
      }
      var container = container(overload);
      if (!container.isEmpty() && !call.args().isEmpty()) {
        var range = call.args().getFirst();
        var inside = elements(range);
        size = inside == null ? null : inside.value;
        paths.put(expression.id(), below(path(range), container));
      }
      if (size == null) {
        size = size(expression);
      }
    }
    setSize(expression, size);
    return sum.plus(Objects.requireNonNull(cost));
  }

  private static String container(String overload) {
    return switch (overload) {
      case "index_list" -> "@items";
      case "index_map" -> "@values";
      default -> "";
    };
  }

  /// What is known about the elements of a list that comes out of a call.
  private void noteElements(CelExpr expression, String overload) {
    var arguments = expression.call().args();
    switch (overload) {
      case "conditional" ->
          setElements(
              expression, Elements.union(elements(arguments.get(1)), elements(arguments.get(2))));
      case "add_list", "add_string", "add_bytes" ->
          setElements(
              expression, Elements.union(elements(arguments.get(0)), elements(arguments.get(1))));
      default -> {}
    }
  }

  private Span list(CelExpr expression) {
    var sum = LIST;
    Span item = null;
    for (var element : expression.list().elements()) {
      sum = sum.plus(cost(element));
      item = item == null ? sizeOrUnknown(element) : item.or(sizeOrUnknown(element));
    }
    setElements(expression, new Elements(true, Span.ONE, item == null ? Span.ZERO : item));
    return sum;
  }

  private Span map(CelExpr expression) {
    var sum = MAP;
    Span key = null;
    Span value = null;
    for (var entry : expression.map().entries()) {
      sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
      key = key == null ? sizeOrUnknown(entry.key()) : key.or(sizeOrUnknown(entry.key()));
      value = value == null ? sizeOrUnknown(entry.value()) : value.or(sizeOrUnknown(entry.value()));
    }
    setElements(
        expression,
        new Elements(false, key == null ? Span.ZERO : key, value == null ? Span.ZERO : value));
    return sum;
  }

  private Span loop(CelExpr expression) {
    var loop = expression.comprehension();
    var sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
    push(loop.accuVar(), localOf(loop.accuInit()));
    boolean two = !loop.iterVar2().isEmpty();
    if (two) {
      push(loop.iterVar(), iterated(loop.iterRange(), true));
      push(loop.iterVar2(), iterated(loop.iterRange(), false));
    } else {
      push(loop.iterVar(), iterated(loop.iterRange(), !isList(loop.iterRange())));
    }
    var each = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
    pop(loop.iterVar());
    if (two) {
      pop(loop.iterVar2());
    }
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    var times = sizeOrUnknown(loop.iterRange());
    switch (loop.accuInit().getKind()) {
      case CONSTANT -> setSize(expression, size(loop.accuInit()));
      case LIST, MAP -> {
        setSize(expression, times);
        setElements(expression, elements(loop.loopStep()));
      }
      default -> {}
    }
    return sum.plus(times.times(each));
  }

  /// `cel.bind`, which looks like a loop over nothing.
  private static boolean isBinding(CelExpr expression) {
    var loop = expression.comprehension();
    return loop.iterRange().getKind() == CelExpr.ExprKind.Kind.LIST
        && loop.iterRange().list().elements().isEmpty()
        && loop.loopCondition().getKind() == CelExpr.ExprKind.Kind.CONSTANT
        && loop.loopCondition().constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
        && !loop.loopCondition().constant().booleanValue();
  }

  private Span binding(CelExpr expression) {
    var loop = expression.comprehension();
    var sum = cost(loop.iterRange()).plus(cost(loop.accuInit()));
    push(loop.accuVar(), localOf(loop.accuInit()));
    sum = sum.plus(cost(loop.result()));
    copySizes(expression, loop.result());
    pop(loop.accuVar());
    return sum;
  }

  private Local localOf(CelExpr value) {
    return new Local(path(value), size(value), elements(value));
  }

  private boolean isList(CelExpr range) {
    var inside = elements(range);
    return inside == null ? type(range).kind() == CelKind.LIST : inside.list;
  }

  private Local iterated(CelExpr range, boolean key) {
    var inside = elements(range);
    boolean list = isList(range);
    var step = key ? (list ? "@indices" : "@keys") : list ? "@items" : "@values";
    var size = inside == null ? null : key ? inside.key : inside.value;
    return new Local(below(path(range), step), size, null);
  }

  private void push(String name, Local local) {
    locals.computeIfAbsent(name, _ -> new ArrayDeque<>()).push(local);
  }

  private void pop(String name) {
    Objects.requireNonNull(locals.get(name)).pop();
  }

  private @Nullable Local local(String name) {
    var stack = locals.get(name);
    return stack == null ? null : stack.peek();
  }

  private @Nullable Local localOfIdent(CelExpr expression) {
    return expression.getKind() == CelExpr.ExprKind.Kind.IDENT
        ? local(expression.ident().name())
        : null;
  }

  private List<String> path(CelExpr expression) {
    var local = localOfIdent(expression);
    return local == null ? paths.getOrDefault(expression.id(), List.of()) : local.path;
  }

  private static List<String> below(List<String> path, String step) {
    var longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private CelType type(CelExpr expression) {
    // Names of optional fields have none.
    return tree.getType(expression.id()).orElse(SimpleType.DYN);
  }

  private CallCosts.Node node(CelExpr expression) {
    var path = path(expression);
    boolean accumulator =
        !path.isEmpty()
            && (path.getFirst().equals("@result") || path.getFirst().equals("__result__"));
    return new CallCosts.Node(
        accumulator ? List.of() : path, type(expression), expression, size(expression));
  }

  private Span sizeOrUnknown(CelExpr expression) {
    var size = size(expression);
    return size == null ? Span.UNKNOWN : size;
  }

  private @Nullable Span size(CelExpr expression) {
    var known = sizes.get(expression.id());
    if (known != null) {
      return known;
    }
    var literal = literalSize(expression);
    if (literal != null) {
      return literal;
    }
    var path = path(expression);
    var found = path.isEmpty() ? null : declared.of(path);
    if (found != null) {
      sizes.put(expression.id(), found);
      return found;
    }
    if (tree.getType(expression.id()).filter(CostEstimator::isScalar).isPresent()) {
      return Span.ONE;
    }
    var local = localOfIdent(expression);
    return local == null ? null : local.size;
  }

  private static @Nullable Span literalSize(CelExpr expression) {
    return switch (expression.getKind()) {
      case CONSTANT ->
          switch (expression.constant().getKind()) {
            case STRING_VALUE -> {
              var text = expression.constant().stringValue();
              yield Span.of(text.codePointCount(0, text.length()));
            }
            case BYTES_VALUE -> Span.of(expression.constant().bytesValue().size());
            case NOT_SET -> null;
            default -> Span.ONE;
          };
      case LIST -> Span.of(expression.list().elements().size());
      case MAP -> Span.of(expression.map().entries().size());
      default -> null;
    };
  }

  private static boolean isScalar(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
      case OPAQUE -> type.name().equals("optional_type") && isScalar(type.parameters().getFirst());
      default -> false;
    };
  }

  private void setSize(CelExpr expression, @Nullable Span size) {
    if (size != null) {
      sizes.put(expression.id(), size);
    }
  }

  private @Nullable Elements elements(CelExpr expression) {
    var known = elements.get(expression.id());
    if (known != null) {
      return known;
    }
    var local = localOfIdent(expression);
    return local == null ? null : local.elements;
  }

  private void setElements(CelExpr expression, @Nullable Elements inside) {
    if (inside != null) {
      elements.put(expression.id(), inside);
    }
  }

  private void copySizes(CelExpr to, CelExpr from) {
    setSize(to, size(from));
    setElements(to, elements(from));
  }
}
