package io.berth.engine.rule;

import io.berth.api.LabelSelector;
import io.berth.api.LabelSyntax;
import io.berth.api.Requirement;
import java.util.ArrayList;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The syntax of labels and of selector clauses over them.
public final class Labels {

  private Labels() {}

  /// Why Kubernetes cannot parse the clause, or `null` if it can.
  public static @Nullable String problemWith(Requirement clause) {
    int values = clause.values().size();
    var operatorProblem =
        switch (clause.operator()) {
          case "In", "NotIn" ->
              values == 0 ? "for 'in', 'notin' operators, values set can't be empty" : null;
          case "Exists", "DoesNotExist" ->
              values > 0 ? "values set must be empty for exists and does not exist" : null;
          case "Gt", "Lt" -> comparisonProblem(clause);
          default -> "\"%s\" is not a valid node selector operator".formatted(clause.operator());
        };
    if (operatorProblem != null) {
      return operatorProblem;
    }
    if (!LabelSyntax.problemsWithKey(clause.key()).isEmpty()) {
      return "key: Invalid value: \"%s\"".formatted(clause.key());
    }
    for (var value : clause.values()) {
      if (!LabelSyntax.problemsWithValue(value).isEmpty()) {
        return "values: Invalid value: \"%s\"".formatted(value);
      }
    }
    return null;
  }

  /// Why Kubernetes cannot parse a label selector, or `null` if it can. Gt and Lt are for nodes.
  public static @Nullable String problemWith(@Nullable LabelSelector selector) {
    if (selector == null) {
      return null;
    }
    for (var clause : selector.matchExpressions()) {
      boolean comparison = clause.operator().equals("Gt") || clause.operator().equals("Lt");
      var problem =
          comparison
              ? "\"%s\" is not a valid label selector operator".formatted(clause.operator())
              : problemWith(clause);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  /// A clause as people write it.
  public static String shown(Requirement clause) {
    var values = clause.values().isEmpty() ? "" : " " + clause.values();
    return clause.key() + " " + clause.operator() + values;
  }

  /// A selector as people write it.
  public static String shown(LabelSelector selector) {
    var clauses = new ArrayList<String>();
    new TreeMap<>(selector.matchLabels()).forEach((key, value) -> clauses.add(key + "=" + value));
    selector.matchExpressions().forEach(clause -> clauses.add(shown(clause)));
    return clauses.isEmpty() ? "any labels" : String.join(", ", clauses);
  }

  private static @Nullable String comparisonProblem(Requirement clause) {
    if (clause.values().size() != 1) {
      return "for 'Gt', 'Lt' operators, exactly one value is required";
    }
    return Requirement.integer(clause.values().get(0)) == null
        ? "for 'Gt', 'Lt' operators, the value must be an integer"
        : null;
  }
}
