package io.berth.schema.cel;

import static io.berth.schema.cel.Weights.size;

import io.berth.schema.Patterns;
import java.util.List;

/// What a call costs with the values it is given, and how large its result will be: both are known
/// before it is made.
///
/// The units are those of Kubernetes. Where its own work depends on more than it counts, because
/// searches try every place and comparisons go to the innermost parts, that is added.
///
/// Mirrors: apiserver/pkg/cel/library.CostEstimator.CallCost,
/// cel-go/interpreter.CostTracker.costCall
final class RuntimeCosts {

  private static final double TEXT = 0.1;
  private static final double REGEX = 0.25;
  private static final double INSTRUCTION = 1.0 / 16;
  private static final double INNER = 0.01;
  private static final double CHECK = 350_000;
  private static final double NAMED_FORMAT_REGEX = 128;
  private static final double NEW_LIST = 11;

  private final Weights weights;

  RuntimeCosts(Weights weights) {
    this.weights = weights;
  }

  /// The target of a member function is the first argument.
  double cost(String function, List<Object> arguments) {
    var first = arguments.get(0);
    double size = size(first);
    return switch (function) {
      case "check" -> CHECK;
      case "fieldSelector", "labelSelector" ->
          10 + size(arguments.getLast()) * TEXT + size(arguments.getLast()) * 0.5 * 50;
      case "isSorted", "sum", "max", "min", "includes" -> traversal(first);
      case "indexOf", "lastIndexOf" ->
          first instanceof String ? search(arguments) : traversal(first);
      case "contains" -> search(arguments);
      case "replace", "split" -> arguments.size() < 2 ? 1 : 2 * search(arguments);
      case "join" -> Math.ceil(joined(arguments) * 2 * TEXT);
      case "url", "lowerAscii", "upperAscii", "substring", "trim", "jsonpatch.escapeKey" ->
          Math.ceil(size * TEXT);
      case "charAt", "strings.quote", "format", "bytes", "string" -> Math.ceil(size * TEXT);
      case "cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver" ->
          Math.max(1, Math.ceil(size * TEXT));
      case "ip.isCanonical" -> Math.ceil(size * 2 * TEXT);
      case "containsIP", "containsCIDR" -> 6 + Math.ceil(size(arguments.getLast()) * TEXT);
      case "validate" ->
          Math.ceil((1 + size(arguments.getLast())) * TEXT) * NAMED_FORMAT_REGEX * REGEX;
      case "matches", "find", "findAll" ->
          Math.ceil((1 + size) * TEXT) * matching(arguments.get(1));
      case "startsWith", "endsWith" -> Math.ceil(size(arguments.get(1)) * TEXT);
      case "@in" -> size(arguments.get(1)) + inner(arguments.get(1));
      case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" -> comparison(arguments);
      case "_+_" -> first instanceof List<?> ? 1 : Math.max(1, Math.ceil(sum(arguments) * TEXT));
      case "sets.contains", "sets.intersects" -> product(arguments);
      case "sets.equivalent" -> 2 * product(arguments);
      case "lists.range", "slice", "reverse", "flatten" -> NEW_LIST + made(function, arguments);
      case "distinct", "sort", "lists.@sortByAssociatedKeys" ->
          NEW_LIST + 2 * size * size + size * inner(first);
      default -> 1;
    };
  }

  /// How many characters or elements the result will have; at least as many, for what is no longer
  /// than its arguments anyway.
  double made(String function, List<Object> arguments) {
    var first = arguments.get(0);
    return switch (function) {
      case "replace" -> arguments.size() < 3 ? 0 : replaced(arguments);
      case "join" -> joined(arguments);
      case "_+_" -> first instanceof Number ? 0 : sum(arguments);
      case "lists.range" -> first instanceof Number count ? Math.max(0, count.doubleValue()) : 0;
      case "flatten" -> flattened(first, depth(arguments));
      case "slice", "reverse" -> size(first);
      default -> 0;
    };
  }

  private double traversal(Object value) {
    if (value instanceof List<?> list) {
      double sum = 0;
      for (var each : list) {
        sum += each instanceof String ? size(each) * TEXT : weights.of(each);
      }
      return sum;
    }
    return Math.floor(size(value) * TEXT);
  }

  /// Every place of the text is tried.
  private static double search(List<Object> arguments) {
    return Math.ceil(size(arguments.get(0)) * TEXT) * Math.ceil(size(arguments.get(1)) * TEXT);
  }

  /// Also refuses what the library would compile without bounds.
  private static double matching(Object pattern) {
    var program = Patterns.compile(String.valueOf(pattern));
    return Math.max(
        Math.ceil(size(pattern) * REGEX), Math.floor(program.programSize() * INSTRUCTION));
  }

  private double inner(Object value) {
    return weights.of(value) * INNER;
  }

  private double comparison(List<Object> arguments) {
    double shorter = Math.min(size(arguments.get(0)), size(arguments.get(1)));
    double inner = Math.min(weights.of(arguments.get(0)), weights.of(arguments.get(1)));
    return Math.max(1, Math.ceil(shorter * TEXT)) + Math.floor(inner * INNER);
  }

  private double product(List<Object> arguments) {
    double one = size(arguments.get(0));
    double other = size(arguments.get(1));
    return one * other + one * inner(arguments.get(1)) + other * inner(arguments.get(0)) + 1;
  }

  private static double sum(List<Object> arguments) {
    return size(arguments.get(0)) + size(arguments.get(1));
  }

  private static double joined(List<Object> arguments) {
    if (!(arguments.get(0) instanceof List<?> parts)) {
      return 0;
    }
    double sum = arguments.size() < 2 ? 0 : size(arguments.get(1)) * parts.size();
    for (var part : parts) {
      sum += size(part);
    }
    return sum;
  }

  private static double replaced(List<Object> arguments) {
    if (!(arguments.get(0) instanceof String text)
        || !(arguments.get(1) instanceof String from)
        || !(arguments.get(2) instanceof String to)) {
      return 0;
    }
    long most =
        arguments.size() > 3 && arguments.get(3) instanceof Long limit && limit >= 0
            ? limit
            : Long.MAX_VALUE;
    double times = Math.min(most, occurrences(text, from));
    return text.length() + times * Math.max(0, to.length() - from.length());
  }

  private static long occurrences(String text, String part) {
    if (part.isEmpty()) {
      return text.length() + 1L;
    }
    long count = 0;
    for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
      count++;
    }
    return count;
  }

  private static long depth(List<Object> arguments) {
    return arguments.size() > 1 && arguments.get(1) instanceof Long depth ? depth : 1;
  }

  /// An upper bound when lists go deeper than one: then all that is inside counts.
  private double flattened(Object value, long depth) {
    if (depth > 1) {
      return weights.of(value);
    }
    double sum = 0;
    if (value instanceof List<?> list) {
      for (var each : list) {
        sum += each instanceof List<?> inner ? inner.size() : 1;
      }
    }
    return sum;
  }
}
