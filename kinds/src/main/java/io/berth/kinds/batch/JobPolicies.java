package io.berth.kinds.batch;

import io.berth.api.JobIndexes;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// When a job counts as failed or as done before all its pods are.
///
/// Mirrors: batch/validation.validatePodFailurePolicy, validateSuccessPolicy
final class JobPolicies {

  private static final int MAX_RULES = 20;
  private static final int MAX_EXIT_CODES = 255;
  private static final int MAX_PATTERNS = 20;
  private static final int MAX_INDEXES_BYTES = 64 * 1024;
  private static final List<String> ACTIONS = List.of("Count", "FailIndex", "FailJob", "Ignore");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final List<String> STATUSES = List.of("False", "True", "Unknown");

  private final Cursor spec;

  JobPolicies(Cursor spec) {
    this.spec = spec;
  }

  void all() {
    spec.at("podFailurePolicy").ifSet(this::failurePolicy);
    spec.at("successPolicy").ifSet(this::successPolicy);
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

  private void failurePolicy(Cursor policy) {
    var containers = new HashSet<String>();
    for (var list : List.of("containers", "initContainers")) {
      for (var container : spec.tree().trees("template", "spec", list)) {
        containers.add(container.textOrEmpty("name"));
      }
    }
    var rules = policy.at("rules").atMostItems(MAX_RULES);
    rules.each().forEach(rule -> failureRule(rule, containers));
  }

  private void failureRule(Cursor rule, Set<String> containers) {
    var action = rule.at("action");
    word(action, ACTIONS);
    if (action.is("FailIndex") && !spec.has("backoffLimitPerIndex")) {
      action.invalid("requires the backoffLimitPerIndex to be set");
    }
    boolean byCode = rule.has("onExitCodes");
    boolean byCondition = !rule.at("onPodConditions").isEmpty();
    rule.at("onExitCodes").ifSet(codes -> exitCodes(codes, containers));
    for (var pattern : rule.at("onPodConditions").atMostItems(MAX_PATTERNS).each()) {
      pattern.at("type").follows(Names::qualifiedName);
      word(pattern.at("status"), STATUSES);
    }
    if (byCode && byCondition) {
      rule.refused("specifying both OnExitCodes and OnPodConditions is not supported");
    } else if (!byCode && !byCondition) {
      rule.refused("specifying one of OnExitCodes and OnPodConditions is required");
    }
  }

  private static void word(Cursor field, List<String> words) {
    field
        .required("valid values: [\"%s\"]".formatted(String.join("\" \"", words)))
        .supported(words);
  }

  private static void exitCodes(Cursor requirement, Set<String> containers) {
    word(requirement.at("operator"), OPERATORS);
    var container = requirement.at("containerName").ifSet();
    if (!containers.contains(container.text())) {
      container.invalid("must be one of the container or initContainer names in the pod template");
    }
    var values = requirement.at("values").atMostItems(MAX_EXIT_CODES);
    if (values.isEmpty()) {
      values.invalid(null, "at least one value is required");
    }
    long before = Long.MIN_VALUE;
    boolean ordered = true;
    var seen = new HashSet<Long>();
    for (var each : values.each()) {
      long value = each.number();
      if (requirement.text("operator").equals("In") && value == 0) {
        each.invalid("must not be 0 for the In operator");
      }
      if (!seen.add(value)) {
        each.duplicate();
      }
      ordered &= before <= value;
      before = value;
    }
    if (!ordered) {
      values.invalid("must be ordered");
    }
  }

  private void successPolicy(Cursor policy) {
    if (!spec.text("completionMode").equals("Indexed")) {
      policy.invalid(goPolicy(policy.tree()), "requires indexed completion mode");
      return;
    }
    var rules = policy.at("rules");
    rules.required("at least one rules must be specified when the successPolicy is specified");
    rules.atMostItems(MAX_RULES).each().forEach(this::successRule);
  }

  private void successRule(Cursor rule) {
    var indexes = rule.at("succeededIndexes");
    if (!indexes.isSet() && !rule.has("succeededCount")) {
      rule.missing("at least one of succeededCount or succeededIndexes must be specified");
    }
    long completions = spec.number("completions");
    long total = countIndexes(indexes.ifSet().atMostBytes(MAX_INDEXES_BYTES), completions);
    var count = rule.at("succeededCount").ifSet().nonNegative();
    if (count.number() > completions) {
      count.invalid(
          "must be less than or equal to %d (the number of specified completions)"
              .formatted(completions));
    }
    if (indexes.isSet() && count.number() > total) {
      count.invalid(
          "must be less than or equal to %d (the number of indexes in the specified succeededIndexes field)"
              .formatted(total));
    }
  }

  private static long countIndexes(Cursor indexes, long completions) {
    try {
      return JobIndexes.count(indexes.text(), completions);
    } catch (IllegalArgumentException e) {
      indexes.invalid("error parsing succeededIndexes: " + e.getMessage());
      return 0;
    }
  }
}
