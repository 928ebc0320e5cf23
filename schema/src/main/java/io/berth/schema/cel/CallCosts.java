package io.berth.schema.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What calls cost at most, by the sizes of what they work on, and how large their result can be.
///
/// Reading a text costs a tenth for each character, an expression to search for a quarter; most
/// other calls cost one.
final class CallCosts {

  private static final double TEXT = 0.1;
  private static final double REGEX = 0.25;
  private static final double NAMED_FORMAT_REGEX = 128;
  private static final double NAMED_FORMAT = 64;
  private static final Span AUTHORIZATION = Span.of(350_000);
  private static final Span ADDRESS_BYTES = new Span(4, 16);

  private final Sizes declared;

  CallCosts(Sizes declared) {
    this.declared = declared;
  }

  /// A target or an argument. `size` follows from how it was made, and may be unknown.
  record Node(List<String> path, CelType type, @Nullable CelExpr expression, @Nullable Span size) {}

  /// What a call costs, and the size of what it gives.
  record Call(Span cost, @Nullable Span size) {

    Call(Span cost) {
      this(cost, null);
    }

    Call plus(Span more) {
      return new Call(cost.plus(more), size);
    }
  }

  Call of(
      String function,
      String overload,
      @Nullable Node target,
      List<Node> arguments,
      List<Span> argumentCosts) {
    var all = Span.ZERO;
    for (var cost : argumentCosts) {
      all = all.plus(cost);
    }
    var extension = extension(overload, target, arguments);
    if (extension != null) {
      return extension.plus(all);
    }
    var own = kubernetes(function, overload, target, arguments);
    if (own != null) {
      return own.plus(all);
    }
    return switch (overload) {
      case "logical_or", "logical_and" ->
          new Call(new Span(argumentCosts.getFirst().min(), all.max()));
      case "conditional" ->
          new Call(
              argumentCosts.get(0).plus(argumentCosts.get(1).or(argumentCosts.get(2))),
              known(arguments.get(1)).or(known(arguments.get(2))));
      default -> standard(overload, target, arguments).plus(all);
    };
  }

  /// The library of lists and sets.
  private @Nullable Call extension(String overload, @Nullable Node target, List<Node> arguments) {
    if (target == null) {
      return switch (overload) {
        case "list_sets_contains_list", "list_sets_intersects_list" -> sets(arguments, 1);
        case "list_sets_equivalent_list" -> sets(arguments, 2);
        case "lists_range" -> newList(1, Span.of(number(arguments.getFirst(), Span.INFINITE)));
        default -> null;
      };
    }
    return switch (overload) {
      case "list_slice" -> {
        var end = number(arguments.get(1), size(target).max());
        yield newList(1, Span.of(Math.max(0, end - number(arguments.getFirst(), 0))));
      }
      case "list_flatten" -> newList(1, size(target));
      case "list_flatten_int", "list_flatten_list_int" ->
          newList(number(arguments.getFirst(), Span.INFINITE), size(target));
      case "list_reverse" -> newList(1, size(target));
      case "list_distinct" -> newList(2, size(target).times(size(target)));
      default -> {
        if (overload.startsWith("list_") && overload.endsWith("_sort")) {
          boolean text = overload.equals("list_string_sort") || overload.equals("list_bytes_sort");
          yield newList(text ? 2 + TEXT : 2, size(target).times(size(target)));
        }
        yield null;
      }
    };
  }

  private Call sets(List<Node> arguments, double factor) {
    return new Call(
        size(arguments.get(0)).times(size(arguments.get(1))).times(factor).plus(Span.ONE));
  }

  private static Call newList(double factor, Span size) {
    return new Call(size.times(factor).plus(Span.of(11)), size);
  }

  private static double number(Node node, double otherwise) {
    var expression = node.expression();
    return expression != null
            && expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
            && expression.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? expression.constant().int64Value()
        : otherwise;
  }

  /// The functions that Kubernetes adds, and those it counts otherwise.
  private @Nullable Call kubernetes(
      String function, String overload, @Nullable Node target, List<Node> arguments) {
    var first = arguments.isEmpty() ? null : arguments.getFirst();
    return switch (function) {
      case "check" -> new Call(AUTHORIZATION);
      case "serviceAccount", "path", "group", "resource", "subresource", "namespace", "name" ->
          new Call(Span.ONE);
      case "allowed", "reason", "error", "errored", "format.named" -> new Call(Span.ONE);
      case "sign", "asInteger", "isInteger", "asApproximateFloat", "isGreaterThan" ->
          new Call(Span.ONE);
      case "isLessThan", "compareTo", "add", "sub", "major", "minor", "patch" -> new Call(Span.ONE);
      case "getScheme", "getHostname", "getHost", "getPort", "getEscapedPath", "getQuery" ->
          new Call(Span.ONE);
      case "masked", "prefixLength", "family", "isUnspecified", "isLoopback" -> new Call(Span.ONE);
      case "isLinkLocalMulticast", "isLinkLocalUnicast", "isGlobalUnicast" -> new Call(Span.ONE);
      case "fieldSelector", "labelSelector" -> first == null ? null : selector(size(first));
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes" ->
          target == null ? null : search(function, target);
      case "url", "jsonpatch.escapeKey" ->
          arguments.size() == 1 ? read(size(arguments.getFirst())) : null;
      case "lowerAscii", "upperAscii", "substring", "trim" ->
          target == null ? null : read(size(target));
      case "replace" -> target == null || arguments.size() < 2 ? null : replace(target, arguments);
      case "split" ->
          target == null
              ? null
              : new Call(
                  size(target).times(2 * TEXT),
                  Span.upTo(
                      arguments.size() > 1
                          ? number(arguments.get(1), size(target).max())
                          : size(target).max()));
      case "join" -> target == null ? null : join(target, first);
      case "find", "findAll" ->
          target == null || first == null
              ? null
              : new Call(matching(size(target), size(first)), Span.upTo(size(target).max()));
      case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
          first == null ? null : new Call(size(first).times(TEXT));
      case "ip" ->
          overload.equals("cidr_ip")
              ? new Call(Span.ONE)
              : first == null ? null : new Call(size(first).times(TEXT));
      case "ip.isCanonical" -> first == null ? null : new Call(size(first).times(2 * TEXT));
      case "containsIP" ->
          new Call(
              ADDRESS_BYTES
                  .plus(ADDRESS_BYTES)
                  .times(TEXT)
                  .plus(overload.endsWith("_string") ? parsing(first) : Span.ZERO));
      case "containsCIDR" ->
          new Call(
              ADDRESS_BYTES
                  .plus(ADDRESS_BYTES)
                  .times(TEXT)
                  .plus(ADDRESS_BYTES.times(TEXT))
                  .plus(Span.ONE)
                  .plus(overload.endsWith("_string") ? parsing(first) : Span.ZERO));
      case "validate" ->
          first == null
              ? null
              : new Call(size(first).times(TEXT).times(NAMED_FORMAT_REGEX * REGEX));
      case "_==_" -> arguments.size() == 2 ? equality(arguments) : null;
      default -> null;
    };
  }

  private Span parsing(@Nullable Node text) {
    return text == null ? Span.ZERO : size(text).times(TEXT);
  }

  private static Call read(Span size) {
    return new Call(size.times(TEXT), size);
  }

  /// A selector is read, and a list and a value are made for every two characters of it.
  private static Call selector(Span length) {
    return new Call(Span.of(10).plus(length.times(TEXT)).plus(length.times(0.5).times(50)));
  }

  private Call search(String function, Node target) {
    var parameters = target.type().parameters();
    if (parameters.isEmpty()) {
      return new Call(function.equals("includes") ? size(target) : size(target).times(TEXT));
    }
    var element = parameters.getFirst();
    var each = Span.ONE;
    if (element.kind() == CelKind.STRING || element.kind() == CelKind.BYTES) {
      each = each.plus(elementSize(target).times(TEXT));
    }
    return new Call(size(target).times(each));
  }

  private Span elementSize(Node list) {
    if (list.path().isEmpty()) {
      return Span.UNKNOWN;
    }
    var path = new java.util.ArrayList<>(list.path());
    path.add("@items");
    var found = declared.of(path);
    return found == null ? Span.UNKNOWN : found;
  }

  private Call join(Node list, @Nullable Node separator) {
    var length = size(list);
    var size = list.type().parameters().isEmpty() ? Span.ZERO : length.times(elementSize(list));
    if (separator != null) {
      var between = new Span(Math.max(0, length.min() - 1), Math.max(0, length.max() - 1));
      size = size.plus(size(separator).times(between));
    }
    return new Call(size.times(TEXT), size);
  }

  /// The longest result comes from replacing the shortest texts by the longest.
  private Call replace(Node target, List<Node> arguments) {
    var text = size(target);
    var from = size(arguments.get(0));
    var to = size(arguments.get(1));
    double most = Math.ceil(text.max() / from.min());
    double mostKept = 0;
    if (from.min() == 0) {
      most = text.max() + 1;
      mostKept = text.max();
    } else if (to.max() <= from.min()) {
      most = 0;
      mostKept = text.max();
    }
    double least = Math.ceil(text.min() / from.max());
    double leastKept = 0;
    if (from.max() == 0) {
      least = text.min() + 1;
      leastKept = text.min();
    } else if (from.max() <= to.min()) {
      least = 0;
      leastKept = text.min();
    }
    var result = new Span(least, most).times(to).plus(new Span(leastKept, mostKept));
    return new Call(text.times(2 * TEXT), result);
  }

  private static Span matching(Span text, Span expression) {
    return text.plus(Span.ONE).times(TEXT).times(expression.times(REGEX));
  }

  /// Values of Kubernetes' own types are compared in one step.
  private static @Nullable Call equality(List<Node> arguments) {
    var type = arguments.get(0).type();
    if (!type.equals(arguments.get(1).type())) {
      return null;
    }
    return switch (type.name()) {
      case "net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver" -> new Call(Span.ONE);
      case "kubernetes.NamedFormat" -> new Call(new Span(1, NAMED_FORMAT).times(TEXT));
      case "kubernetes.URL" -> {
        var size = arguments.get(1).size();
        yield new Call(new Span(1, size == null ? 1 : size.max()).times(TEXT));
      }
      default -> null;
    };
  }

  /// The functions of the language itself.
  private Call standard(String overload, @Nullable Node target, List<Node> arguments) {
    return switch (overload) {
      case "string_format" -> new Call(target == null ? Span.ONE : known(target).times(TEXT));
      case "string_to_bytes" -> {
        var size = known(arguments.getFirst());
        yield new Call(size.times(TEXT), new Span(size.min(), size.max() * 4));
      }
      case "bytes_to_string" -> {
        var size = known(arguments.getFirst());
        yield new Call(size.times(TEXT), new Span(Math.floor(size.min() / 4), size.max()));
      }
      case "strings_quote" -> {
        var size = known(arguments.getFirst());
        yield new Call(size.times(TEXT), new Span(size.min() + 2, size.max() * 2 + 2));
      }
      case "starts_with_string", "ends_with_string" ->
          new Call(known(arguments.getFirst()).times(TEXT));
      case "in_list" -> new Call(known(arguments.get(1)));
      case "matches_string" ->
          new Call(
              target == null ? Span.ONE : matching(known(target), known(arguments.getFirst())));
      case "matches" -> new Call(matching(known(arguments.get(0)), known(arguments.get(1))));
      case "contains_string" ->
          new Call(
              target == null
                  ? Span.ONE
                  : known(target).times(TEXT).times(known(arguments.getFirst()).times(TEXT)));
      case "add_string", "add_bytes" -> {
        var size = known(arguments.get(0)).plus(known(arguments.get(1)));
        yield new Call(size.times(TEXT), size);
      }
      case "add_list" -> new Call(Span.ONE, known(arguments.get(0)).plus(known(arguments.get(1))));
      case "less_string", "greater_string", "less_equals_string", "greater_equals_string" ->
          comparison(arguments);
      case "less_bytes", "greater_bytes", "less_equals_bytes", "greater_equals_bytes" ->
          comparison(arguments);
      case "equals", "not_equals" -> comparison(arguments);
      default -> new Call(Span.ONE);
    };
  }

  /// The shorter of two values decides.
  private static Call comparison(List<Node> arguments) {
    double smallest = Math.min(known(arguments.get(0)).max(), known(arguments.get(1)).max());
    return new Call(new Span(smallest > 0 ? 1 : 0, smallest).times(TEXT));
  }

  private static Span known(Node node) {
    return node.size() == null ? Span.UNKNOWN : node.size();
  }

  private Span size(Node node) {
    if (node.size() != null) {
      return node.size();
    }
    var found = node.path().isEmpty() ? null : declared.of(node.path());
    return found == null ? Span.UNKNOWN : found;
  }
}
