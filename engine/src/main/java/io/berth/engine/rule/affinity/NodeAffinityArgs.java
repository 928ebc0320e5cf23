package io.berth.engine.rule.affinity;

import io.berth.api.LabelSyntax;
import io.berth.api.NodeAffinity;
import io.berth.api.NodeSelectorTerm;
import io.berth.api.Requirement;
import io.berth.engine.rule.Args;
import java.util.ArrayList;
import java.util.List;

/// The arguments of NodeAffinity: what the profile demands of nodes for every pod.
///
/// Mirrors: apis/config/validation.ValidateNodeAffinityArgs, labels.NewRequirement
public record NodeAffinityArgs(NodeAffinity addedAffinity) {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final List<String> OPERATORS =
      List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");
  private static final List<String> FIELD_OPERATORS = List.of("In", "NotIn");
  private static final String VALUES = "values";

  public static NodeAffinityArgs read(Args args) {
    var added = args.object("addedAffinity");
    List<NodeSelectorTerm> required = null;
    if (added.has(REQUIRED)) {
      required = new ArrayList<>();
      for (var term : added.object(REQUIRED).objects("nodeSelectorTerms")) {
        required.add(term(term));
      }
    }
    var preferred = new ArrayList<NodeAffinity.Preferred>();
    for (var each : added.objects(PREFERRED)) {
      int weight = each.integer("weight", 0);
      var preference = each.object("preference");
      // As in Kubernetes: what has no weight is not looked at, and the path leaves out a step.
      preferred.add(
          new NodeAffinity.Preferred(
              weight,
              weight == 0
                  ? NodeSelectorTerm.of(preference.tree())
                  : term(preference.inPlaceOf(each))));
    }
    return new NodeAffinityArgs(new NodeAffinity(required, preferred));
  }

  private static NodeSelectorTerm term(Args term) {
    term.objects("matchExpressions").forEach(NodeAffinityArgs::checkExpression);
    term.objects("matchFields").forEach(NodeAffinityArgs::checkField);
    return NodeSelectorTerm.of(term.tree());
  }

  private static void checkExpression(Args clause) {
    var key = clause.text("key");
    var operator = clause.text("operator");
    var values = clause.texts(VALUES);
    clause.checkOneOf("operator", operator, OPERATORS);
    if (!OPERATORS.contains(operator)) {
      return;
    }
    var problems = LabelSyntax.problemsWithKey(key);
    clause.check(problems.isEmpty(), "key", key, String.join("; ", problems));
    checkCount(clause, operator, values);
    for (int i = 0; i < values.size(); i++) {
      var wrong = LabelSyntax.problemsWithValue(values.get(i));
      var field = VALUES + "[" + i + "][" + key + "]";
      clause.check(wrong.isEmpty(), field, values.get(i), String.join("; ", wrong));
    }
  }

  private static void checkCount(Args clause, String operator, List<String> values) {
    switch (operator) {
      case "In", "NotIn" ->
          clause.check(
              !values.isEmpty(),
              VALUES,
              shown(clause, values),
              "for 'in', 'notin' operators, values set can't be empty");
      case "Exists", "DoesNotExist" ->
          clause.check(
              values.isEmpty(),
              VALUES,
              shown(clause, values),
              "values set must be empty for exists and does not exist");
      default -> checkNumber(clause, values);
    }
  }

  private static void checkNumber(Args clause, List<String> values) {
    var shown = shown(clause, values);
    var rule = "for 'Gt', 'Lt' operators, exactly one value is required";
    clause.check(values.size() == 1, VALUES, shown, rule);
    for (int i = 0; i < values.size(); i++) {
      clause.check(
          Requirement.integer(values.get(i)) != null,
          VALUES + "[" + i + "]",
          values.get(i),
          "for 'Gt', 'Lt' operators, the value must be an integer");
    }
  }

  private static void checkField(Args clause) {
    var operator = clause.text("operator");
    var values = clause.texts(VALUES);
    clause.checkOneOf("operator", operator, FIELD_OPERATORS);
    if (FIELD_OPERATORS.contains(operator)) {
      clause.check(values.size() == 1, VALUES, shown(clause, values), "must have one element");
    }
  }

  /// Values as Kubernetes shows them: by a list, or `null` when there is none.
  private static Object shown(Args clause, List<String> values) {
    var quoted = values.stream().map(value -> "\"" + value + "\"").toList();
    return clause.has(VALUES) ? new Shown("[" + String.join(",", quoted) + "]") : new Shown("null");
  }

  private record Shown(String text) {

    @Override
    public String toString() {
      return text;
    }
  }
}
