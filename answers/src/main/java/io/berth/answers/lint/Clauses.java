package io.berth.answers.lint;

import io.berth.api.LabelSelector;
import io.berth.api.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Clauses that must all hold, and whether any labels at all can satisfy them.
final class Clauses {

  // Beyond, integers between two bounds are not tried one by one: there are enough of them.
  private static final long MANY = 1000;

  private final Map<String, List<Requirement>> byKey = new LinkedHashMap<>();

  Clauses and(List<Requirement> clauses) {
    clauses.forEach(each -> byKey.computeIfAbsent(each.key(), _ -> new ArrayList<>()).add(each));
    return this;
  }

  Clauses and(Map<String, String> labels) {
    labels.forEach((key, value) -> and(List.of(new Requirement(key, "In", List.of(value)))));
    return this;
  }

  static Clauses of(LabelSelector selector) {
    return new Clauses().and(selector.matchLabels()).and(selector.matchExpressions());
  }

  /// The clauses on one key that no value, nor its absence, satisfies; `null` if there are none.
  @Nullable List<Requirement> contradiction() {
    for (var clauses : byKey.values()) {
      if (!isSatisfiable(clauses)) {
        return clauses;
      }
    }
    return null;
  }

  private static boolean isSatisfiable(List<Requirement> clauses) {
    return holds(clauses, null) || candidates(clauses).stream().anyMatch(v -> holds(clauses, v));
  }

  private static boolean holds(List<Requirement> clauses, @Nullable String value) {
    return clauses.stream().allMatch(clause -> clause.matches(value));
  }

  /// Values of which one satisfies the clauses, if any value does.
  private static List<String> candidates(List<Requirement> clauses) {
    var candidates = new ArrayList<String>();
    int named = 0;
    for (var clause : clauses) {
      candidates.addAll(clause.values());
      named += clause.values().size();
      if (clause.operator().equals("Gt") || clause.operator().equals("Lt")) {
        addBeyond(clause, named, candidates);
      }
    }
    // A value that nobody names satisfies Exists and NotIn.
    for (int i = 0; i <= named; i++) {
      candidates.add("x" + i);
    }
    return candidates;
  }

  // Among more neighbours of a bound than values are named, one is free of them.
  private static void addBeyond(Requirement clause, int named, List<String> candidates) {
    var bound = clause.values().isEmpty() ? null : Requirement.integer(clause.values().getFirst());
    long step = clause.operator().equals("Gt") ? 1 : -1;
    for (long i = 1; bound != null && i <= Math.min(MANY, named + 100L); i++) {
      candidates.add(Long.toString(bound + step * i));
    }
  }
}
