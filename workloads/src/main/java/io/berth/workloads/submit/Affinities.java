package io.berth.workloads.submit;

import io.berth.api.NodeSelectorTerm;
import io.berth.api.Tree;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Checks node affinity, and answers whether a node satisfies it.
public final class Affinities {

  private static final Pattern INTEGER = Pattern.compile("[-+]?\\d{1,19}");
  private static final Pattern KEY =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private Affinities() {}

  /// Everything that is wrong with the required node affinity of a specification.
  static List<String> problems(Tree spec, String path, Set<String> poolLabels) {
    var problems = new ArrayList<String>();
    if (!spec.has("nodeAffinityRequired")) {
      return problems;
    }
    var at = path + ".nodeAffinityRequired.nodeSelectorTerms";
    var terms = spec.trees("nodeAffinityRequired", "nodeSelectorTerms");
    if (terms.isEmpty()) {
      problems.add(
          "%s: at least one term is required; an empty list matches no node".formatted(at));
    }
    for (int i = 0; i < terms.size(); i++) {
      check(terms.get(i), "%s[%d]".formatted(at, i), poolLabels, problems);
    }
    return problems;
  }

  private static void check(Tree term, String at, Set<String> poolLabels, List<String> problems) {
    if (term.trees("matchExpressions").isEmpty() && term.trees("matchFields").isEmpty()) {
      problems.add(
          "%s: an empty term matches no node; give it an expression or leave it out".formatted(at));
      return;
    }
    int before = problems.size();
    var expressions = term.trees("matchExpressions");
    for (int i = 0; i < expressions.size(); i++) {
      checkExpression(expressions.get(i), "%s.matchExpressions[%d]".formatted(at, i), problems);
      var key = expressions.get(i).textOrEmpty("key");
      if (poolLabels.contains(key)) {
        problems.add(
            "%s.matchExpressions[%d]: \"%s\" is the label of node pools; choose pools with nodePools instead"
                .formatted(at, i, key));
      }
    }
    for (var field : term.trees("matchFields")) {
      if (!field.textOrEmpty("key").equals("metadata.name")) {
        problems.add("%s.matchFields: only metadata.name can be matched".formatted(at));
      }
    }
    if (problems.size() > before) {
      return;
    }
    contradiction(expressions)
        .ifPresent(key ->
            problems.add(
                "%s: no node can satisfy the expressions on \"%s\" together".formatted(at, key)));
  }

  static boolean isKey(String text) {
    return KEY.matcher(text).matches();
  }

  static void checkExpression(Tree expression, String at, List<String> problems) {
    var key = expression.textOrEmpty("key");
    var values = expression.list("values");
    if (!isKey(key)) {
      problems.add("%s.key: \"%s\" is no label key".formatted(at, key));
    }
    switch (expression.textOrEmpty("operator")) {
      case "In", "NotIn" -> {
        if (values.isEmpty()) {
          problems.add(
              "%s.values: must be specified when `operator` is 'In' or 'NotIn'".formatted(at));
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (!values.isEmpty()) {
          problems.add(
              "%s.values: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
                  .formatted(at));
        }
      }
      case "Gt", "Lt" -> {
        if (values.size() != 1 || !INTEGER.matcher(String.valueOf(values.getFirst())).matches()) {
          problems.add(
              "%s.values: must be a single integer when `operator` is 'Lt' or 'Gt'".formatted(at));
        }
      }
      default -> problems.add("%s.operator: not a valid selector operator".formatted(at));
    }
  }

  /// A key whose expressions exclude each other.
  private static java.util.Optional<String> contradiction(List<Tree> expressions) {
    var allowed = new HashMap<String, Set<Object>>();
    var absent = new HashSet<String>();
    var present = new HashSet<String>();
    var bounds = new HashMap<String, Bounds>();
    for (var expression : expressions) {
      var key = expression.textOrEmpty("key");
      switch (expression.textOrEmpty("operator")) {
        case "In" -> {
          present.add(key);
          var values = new HashSet<Object>(expression.list("values"));
          allowed.merge(key, values, Affinities::intersection);
        }
        case "Gt", "Lt" -> {
          present.add(key);
          bounds.computeIfAbsent(key, _ -> new Bounds()).tighten(expression);
        }
        case "Exists" -> present.add(key);
        case "DoesNotExist" -> absent.add(key);
        default -> {}
      }
    }
    for (var expression : expressions) {
      var key = expression.textOrEmpty("key");
      if (expression.textOrEmpty("operator").equals("NotIn") && allowed.containsKey(key)) {
        allowed.getOrDefault(key, Set.of()).removeAll(expression.list("values"));
      }
    }
    for (var expression : expressions) {
      var key = expression.textOrEmpty("key");
      boolean empty = allowed.containsKey(key) && allowed.getOrDefault(key, Set.of()).isEmpty();
      var bound = bounds.get(key);
      boolean apart = bound != null && bound.areApart(allowed.get(key));
      if (empty || apart || (absent.contains(key) && present.contains(key))) {
        return java.util.Optional.of(key);
      }
    }
    return java.util.Optional.empty();
  }

  /// The integers that all `Gt` and `Lt` on a key leave.
  private static final class Bounds {

    private @Nullable BigInteger above;
    private @Nullable BigInteger below;

    void tighten(Tree expression) {
      var bound = new BigInteger(String.valueOf(expression.list("values").getFirst()));
      if (expression.textOrEmpty("operator").equals("Gt")) {
        above = above == null ? bound : above.max(bound);
      } else {
        below = below == null ? bound : below.min(bound);
      }
    }

    /// Whether no integer is left, or none of the values that an `In` allows.
    boolean areApart(@Nullable Set<Object> allowed) {
      if (allowed != null) {
        return allowed.stream().noneMatch(value -> holds(String.valueOf(value)));
      }
      return above != null && below != null && above.add(BigInteger.ONE).compareTo(below) >= 0;
    }

    private boolean holds(String value) {
      if (!INTEGER.matcher(value).matches()) {
        return false;
      }
      var number = new BigInteger(value);
      return (above == null || number.compareTo(above) > 0)
          && (below == null || number.compareTo(below) < 0);
    }
  }

  private static Set<Object> intersection(Set<Object> a, Set<Object> b) {
    var both = new HashSet<>(a);
    both.retainAll(b);
    return both;
  }

  /// Whether a node satisfies any of the terms; an empty term matches nothing. As in Kubernetes.
  public static boolean matches(List<Tree> terms, Tree node) {
    var labels = node.texts("metadata", "labels");
    for (var term : terms) {
      if (NodeSelectorTerm.of(term).matches(labels, node.textOrEmpty("metadata", "name"))) {
        return true;
      }
    }
    return false;
  }
}
