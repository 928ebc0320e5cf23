package io.berth.kinds.batch;

import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.JobIndexes;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// When a job counts as failed or as done before all its pods are.
final class JobPolicies {

  private static final int MAX_RULES = 20;
  private static final int MAX_EXIT_CODES = 255;
  private static final int MAX_PATTERNS = 20;
  private static final int MAX_INDEXES_BYTES = 64 * 1024;
  private static final List<String> ACTIONS = List.of("Count", "FailIndex", "FailJob", "Ignore");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");

  private final Tree spec;
  private final FieldPath path;
  private final FieldErrors errors;

  JobPolicies(Tree spec, FieldPath path, FieldErrors errors) {
    this.spec = spec;
    this.path = path;
    this.errors = errors;
  }

  void all() {
    var failure = spec.tree("podFailurePolicy");
    if (failure != null) {
      failurePolicy(failure, path.child("podFailurePolicy", "rules"));
    }
    var success = spec.tree("successPolicy");
    if (success != null) {
      if (spec.textOrEmpty("completionMode").equals("Indexed")) {
        successPolicy(success, path.child("successPolicy", "rules"));
      } else {
        errors.invalid(
            path.child("successPolicy"), goPolicy(success), "requires indexed completion mode");
      }
    }
  }

  private static Tree goPolicy(Tree success) {
    var rules = new ArrayList<Tree>();
    for (var rule : success.trees("rules")) {
      rules.add(
          Tree.of(
              "SucceededIndexes",
              rule.get("succeededIndexes"),
              "SucceededCount",
              rule.get("succeededCount")));
    }
    return Tree.of("Rules", rules.isEmpty() ? null : rules);
  }

  private void failurePolicy(Tree policy, FieldPath rulesPath) {
    var rules = policy.trees("rules");
    if (rules.size() > MAX_RULES) {
      errors.tooMany(rulesPath, rules.size(), MAX_RULES);
    }
    var containers = new HashSet<String>();
    for (var list : List.of("containers", "initContainers")) {
      for (var container : spec.trees("template", "spec", list)) {
        containers.add(container.textOrEmpty("name"));
      }
    }
    for (int i = 0; i < rules.size(); i++) {
      failureRule(rules.get(i), rulesPath.index(i), containers);
    }
  }

  private void failureRule(Tree rule, FieldPath rulePath, Set<String> containers) {
    var action = rule.textOrEmpty("action");
    required(rulePath.child("action"), action, ACTIONS);
    if (action.equals("FailIndex") && !spec.has("backoffLimitPerIndex")) {
      errors.invalid(
          rulePath.child("action"), action, "requires the backoffLimitPerIndex to be set");
    }
    var exitCodes = rule.tree("onExitCodes");
    var patterns = rule.trees("onPodConditions");
    if (exitCodes != null) {
      exitCodes(exitCodes, rulePath.child("onExitCodes"), containers);
    }
    conditions(patterns, rulePath.child("onPodConditions"));
    if (exitCodes != null && !patterns.isEmpty()) {
      errors.add(
          FieldError.invalidWithoutValue(
              rulePath, "specifying both OnExitCodes and OnPodConditions is not supported"));
    }
    if (exitCodes == null && patterns.isEmpty()) {
      errors.add(
          FieldError.invalidWithoutValue(
              rulePath, "specifying one of OnExitCodes and OnPodConditions is required"));
    }
  }

  private void required(FieldPath field, String value, List<String> words) {
    if (value.isEmpty()) {
      errors.required(field, "valid values: [\"%s\"]".formatted(String.join("\" \"", words)));
    } else {
      Checks.supported(field, value, words, errors);
    }
  }

  private void exitCodes(Tree requirement, FieldPath codesPath, Set<String> containers) {
    var operator = requirement.textOrEmpty("operator");
    required(codesPath.child("operator"), operator, OPERATORS);
    var container = requirement.text("containerName");
    if (container != null && !containers.contains(container)) {
      errors.invalid(
          codesPath.child("containerName"),
          container,
          "must be one of the container or initContainer names in the pod template");
    }
    var values = requirement.list("values");
    var valuesPath = codesPath.child("values");
    if (values.isEmpty()) {
      errors.invalid(valuesPath, null, "at least one value is required");
    } else if (values.size() > MAX_EXIT_CODES) {
      errors.tooMany(valuesPath, values.size(), MAX_EXIT_CODES);
    }
    boolean ordered = true;
    var seen = new HashSet<>();
    for (int i = 0; i < values.size(); i++) {
      long value = values.get(i) instanceof Long number ? number : 0;
      if (operator.equals("In") && value == 0) {
        errors.invalid(valuesPath.index(i), value, "must not be 0 for the In operator");
      }
      if (!seen.add(value)) {
        errors.duplicate(valuesPath.index(i), value);
      }
      ordered &= i == 0 || !(values.get(i - 1) instanceof Long before) || before <= value;
    }
    if (!ordered) {
      errors.invalid(valuesPath, values, "must be ordered");
    }
  }

  private void conditions(List<Tree> patterns, FieldPath patternsPath) {
    if (patterns.size() > MAX_PATTERNS) {
      errors.tooMany(patternsPath, patterns.size(), MAX_PATTERNS);
    }
    for (int i = 0; i < patterns.size(); i++) {
      var pattern = patterns.get(i);
      var type = pattern.textOrEmpty("type");
      Checks.qualifiedName(patternsPath.index(i).child("type"), type, errors);
      required(patternsPath.index(i).child("status"), pattern.textOrEmpty("status"), STATUSES);
    }
  }

  private void successPolicy(Tree policy, FieldPath rulesPath) {
    var rules = policy.trees("rules");
    if (rules.isEmpty()) {
      errors.required(
          rulesPath, "at least one rules must be specified when the successPolicy is specified");
    }
    if (rules.size() > MAX_RULES) {
      errors.tooMany(rulesPath, rules.size(), MAX_RULES);
    }
    for (int i = 0; i < rules.size(); i++) {
      successRule(rules.get(i), rulesPath.index(i));
    }
  }

  private void successRule(Tree rule, FieldPath rulePath) {
    var indexes = rule.text("succeededIndexes");
    if (indexes == null && !rule.has("succeededCount")) {
      errors.required(
          rulePath, "at least one of succeededCount or succeededIndexes must be specified");
    }
    long completions = spec.number(0, "completions");
    long total = 0;
    if (indexes != null) {
      var indexesPath = rulePath.child("succeededIndexes");
      if (Names.bytes(indexes) > MAX_INDEXES_BYTES) {
        errors.tooLong(indexesPath, MAX_INDEXES_BYTES);
      }
      try {
        total = JobIndexes.count(indexes, completions);
      } catch (IllegalArgumentException e) {
        errors.invalid(
            indexesPath,
            indexes,
            "error parsing succeededIndexes: " + Objects.requireNonNull(e.getMessage()));
      }
    }
    if (rule.get("succeededCount") instanceof Long count) {
      var countPath = rulePath.child("succeededCount");
      Checks.nonNegative(countPath, count, errors);
      if (count > completions) {
        errors.invalid(
            countPath,
            count,
            "must be less than or equal to %d (the number of specified completions)"
                .formatted(completions));
      }
      if (indexes != null && count > total) {
        errors.invalid(
            countPath,
            count,
            "must be less than or equal to %d (the number of indexes in the specified succeededIndexes field)"
                .formatted(total));
      }
    }
  }
}
