package io.berth.controllers.batch;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Meta;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// What a Job's `podFailurePolicy` says about a failed pod: the first rule that matches.
final class FailurePolicy {

  private FailurePolicy() {}

  /// The verdict on a failed pod; without a rule that matches the failure counts.
  static Verdict of(Tree job, Tree pod) {
    var rules = job.trees("spec", "podFailurePolicy", "rules");
    for (int i = 0; i < rules.size(); i++) {
      var why = matches(rules.get(i), pod, i);
      if (why != null) {
        return new Verdict(rules.get(i).textOrEmpty("action"), why);
      }
    }
    return new Verdict("Count", "");
  }

  private static @Nullable String matches(Tree rule, Tree pod, int index) {
    var exitCodes = rule.tree("onExitCodes");
    if (exitCodes != null) {
      return exitCode(rule, exitCodes, pod, index);
    }
    for (var pattern : rule.trees("onPodConditions")) {
      var condition = Conditions.find(pod, pattern.textOrEmpty("type"));
      if (condition != null
          && condition.textOrEmpty("status").equals(pattern.textOrEmpty("status"))) {
        return "Pod %s/%s has condition %s matching %s rule at index %d"
            .formatted(
                Meta.namespace(pod),
                Meta.name(pod),
                condition.textOrEmpty("type"),
                rule.textOrEmpty("action"),
                index);
      }
    }
    return null;
  }

  private static @Nullable String exitCode(Tree rule, Tree wanted, Tree pod, int index) {
    var only = wanted.textOrEmpty("containerName");
    var statuses = new ArrayList<>(pod.trees("status", "containerStatuses"));
    statuses.addAll(pod.trees("status", "initContainerStatuses"));
    for (var status : statuses) {
      var code = status.number(0, "state", "terminated", "exitCode");
      if (code == 0 || (!only.isEmpty() && !only.equals(status.text("name")))) {
        continue;
      }
      var listed = wanted.list("values").contains(code);
      if (listed == wanted.textOrEmpty("operator").equals("In")) {
        return "Container %s for pod %s/%s failed with exit code %d matching %s rule at index %d"
            .formatted(
                status.textOrEmpty("name"),
                Meta.namespace(pod),
                Meta.name(pod),
                code,
                rule.textOrEmpty("action"),
                index);
      }
    }
    return null;
  }

  /// `action` is Count, Ignore, FailIndex or FailJob.
  record Verdict(String action, String message) {}
}
