package io.berth.admission.policy;

import io.berth.admission.Lookup;
import io.berth.admission.request.Bindings;
import io.berth.admission.request.MatchConditions;
import io.berth.admission.request.Seen;
import io.berth.api.Tree;
import io.berth.schema.apply.Overlay;
import io.berth.schema.cel.Budget;
import io.berth.schema.cel.ObjectValue;
import io.berth.schema.patch.JsonPatch;
import io.berth.schema.patch.OperationException;
import io.berth.schema.policy.Evaluation;
import io.berth.schema.policy.Evaluation.BudgetSpentException;
import io.berth.schema.policy.Expression;
import io.berth.schema.policy.Names;
import io.berth.schema.policy.PolicyExpressions;
import io.berth.schema.policy.Result;
import io.berth.schema.policy.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A mutating policy, compiled. Safe for many threads.
public final class Mutation {

  private final MatchConditions conditions;
  private final List<Patch> patches = new ArrayList<>();
  private final Map<String, Expression> variables;

  private record Patch(boolean applied, Expression expression) {}

  public Mutation(Tree spec) {
    boolean params = spec.has("paramKind");
    var expressions = PolicyExpressions.composed();
    var known = Names.BASIC.withParams(params).withAuthorizer();
    for (var variable : spec.trees("variables")) {
      expressions.variable(variable.textOrEmpty("name"), variable.textOrEmpty("expression"), known);
    }
    conditions = new MatchConditions(spec.trees("matchConditions"), expressions, params);
    for (var each : spec.trees("mutations")) {
      boolean applied = each.textOrEmpty("patchType").equals("ApplyConfiguration");
      var source = each.textOrEmpty(applied ? "applyConfiguration" : "jsonPatch", "expression");
      patches.add(
          new Patch(
              applied,
              expressions.compile(
                  source, known.withObjects(), applied ? Result.OBJECT : Result.PATCHES)));
    }
    variables = expressions.variables();
  }

  /// A policy that could not do its work on a request.
  public static final class FailedException extends Exception {

    private static final long serialVersionUID = 1L;

    FailedException(String message) {
      super(message, null, false, false);
    }

    public String text() {
      return String.valueOf(getMessage());
    }
  }

  /// Whether the request meets the match conditions.
  public boolean concerns(Seen seen, @Nullable Tree params, Lookup lookup) throws FailedException {
    if (conditions.isEmpty()) {
      return true;
    }
    var answer =
        conditions.check(
            Bindings.of(seen, null).withParams(params).withAuthorizer(seen.attributes(), lookup));
    if (!answer.error().isEmpty()) {
      throw new FailedException(answer.error());
    }
    return answer.matches();
  }

  /// Changes the object of the request by all patches, one after another; says for each that failed
  /// why.
  public List<String> change(
      Seen seen, @Nullable Tree params, @Nullable Tree namespace, Lookup lookup) {
    var failures = new ArrayList<String>();
    for (var patch : patches) {
      var object = seen.object();
      if (object == null) {
        continue;
      }
      var bindings =
          Bindings.of(seen, namespace).withParams(params).withAuthorizer(seen.attributes(), lookup);
      var evaluation = new Evaluation(bindings.values(), variables, new Budget());
      try {
        var changed = patched(patch, object, evaluation, seen, lookup);
        if (!changed.equals(object)) {
          seen.change(changed);
        }
      } catch (FailedException e) {
        failures.add(e.text());
      }
    }
    return failures;
  }

  private static Tree patched(
      Patch patch, Tree object, Evaluation evaluation, Seen seen, Lookup lookup)
      throws FailedException {
    if (!patch.expression.problem().isEmpty()) {
      throw new FailedException(patch.expression.problem());
    }
    Evaluation.Outcome outcome;
    try {
      outcome = evaluation.evaluate(patch.expression);
    } catch (BudgetSpentException e) {
      throw new FailedException(e.text());
    }
    if (outcome.isError()) {
      throw new FailedException(outcome.error());
    }
    return patch.applied
        ? overlaid(object, outcome.value(), seen, lookup)
        : operated(object, outcome.value());
  }

  private static Tree overlaid(Tree object, @Nullable Object value, Seen seen, Lookup lookup)
      throws FailedException {
    if (!(value instanceof ObjectValue configuration)) {
      throw new FailedException("unsupported return type from ApplyConfiguration expression");
    }
    checkNames(configuration);
    try {
      var tree = (Tree) Values.toTree(configuration);
      if (tree == null) {
        return object;
      }
      tree.put("apiVersion", object.textOrEmpty("apiVersion"));
      tree.put("kind", object.textOrEmpty("kind"));
      return Overlay.of(lookup.structure(seen.version()), object, tree);
    } catch (IllegalArgumentException e) {
      throw new FailedException("error applying patch: " + e.getMessage());
    }
  }

  private static Tree operated(Tree object, @Nullable Object value) throws FailedException {
    if (!(value instanceof List<?> list)) {
      throw new FailedException("type mismatch: JSONPatchType.expression should evaluate to array");
    }
    var operations = new ArrayList<Tree>();
    for (var each : list) {
      if (!(each instanceof ObjectValue operation)) {
        throw new FailedException(
            "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch");
      }
      if (operation.get("value") instanceof ObjectValue made) {
        checkNames(made);
      }
      try {
        operations.add((Tree) Values.toTree(operation));
      } catch (IllegalArgumentException e) {
        throw new FailedException(
            "JSONPath valueExpression evaluated to a type that could not marshal to JSON: "
                + e.getMessage());
      }
    }
    try {
      return JsonPatch.apply(operations, object);
    } catch (OperationException e) {
      if (e.isFailedTest()) {
        return object;
      }
      throw new FailedException("JSON Patch: " + e.text());
    }
  }

  /// The types of objects must say where they stand: `Object.spec` in the field `spec`.
  private static void checkNames(ObjectValue value) throws FailedException {
    var errors = new ArrayList<String>();
    checkNames(value, value.type(), errors);
    if (!errors.isEmpty()) {
      throw new FailedException("type mismatch: " + String.join("\n", errors));
    }
  }

  private static void checkNames(@Nullable Object value, String path, List<String> errors) {
    switch (value) {
      case ObjectValue object -> {
        if (!object.type().equals(path)) {
          errors.add(
              "unexpected type name \"%s\", expected \"%s\", which matches field name path from root Object type"
                  .formatted(object.type(), path));
        }
        object.forEach((name, each) -> checkNames(each, path + "." + name, errors));
      }
      case Map<?, ?> map -> map.values().forEach(each -> checkNames(each, path, errors));
      case List<?> list -> list.forEach(each -> checkNames(each, path, errors));
      case null, default -> {}
    }
  }
}
