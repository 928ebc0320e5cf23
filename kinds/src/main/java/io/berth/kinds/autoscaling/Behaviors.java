package io.berth.kinds.autoscaling;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Quantity;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How quickly an autoscaler may act.
final class Behaviors {

  private static final int MAX_WINDOW_SECONDS = 3600;
  private static final int MAX_PERIOD_SECONDS = 1800;
  private static final List<String> SELECTIONS = List.of("Disabled", "Max", "Min");
  private static final List<String> TYPES = List.of("Percent", "Pods");

  private Behaviors() {}

  static void validate(Tree behavior, FieldPath path, FieldErrors errors) {
    for (var direction : List.of("scaleUp", "scaleDown")) {
      validateRules(behavior.tree(direction), path.child(direction), errors);
    }
  }

  private static void validateRules(@Nullable Tree rules, FieldPath path, FieldErrors errors) {
    if (rules == null) {
      return;
    }
    if (rules.get("stabilizationWindowSeconds") instanceof Long window) {
      var windowPath = path.child("stabilizationWindowSeconds");
      if (window < 0) {
        errors.invalid(windowPath, window, "must be greater than or equal to zero");
      } else if (window > MAX_WINDOW_SECONDS) {
        errors.invalid(windowPath, window, "must be less than or equal to " + MAX_WINDOW_SECONDS);
      }
    }
    var selection = rules.text("selectPolicy");
    if (selection != null) {
      Checks.supported(path.child("selectPolicy"), selection, SELECTIONS, errors);
    }
    var policies = rules.trees("policies");
    if (policies.isEmpty()) {
      errors.required(path.child("policies"), "must specify at least one Policy");
    }
    for (int i = 0; i < policies.size(); i++) {
      validatePolicy(policies.get(i), path.child("policies").index(i), errors);
    }
    var tolerance = rules.text("tolerance");
    if (tolerance != null) {
      Checks.nonNegative(path.child("tolerance"), Quantity.parse(tolerance), errors);
    }
  }

  private static void validatePolicy(Tree policy, FieldPath path, FieldErrors errors) {
    Checks.supported(path.child("type"), policy.textOrEmpty("type"), TYPES, errors);
    Checks.positive(path.child("value"), policy.number(0, "value"), errors);
    long period = policy.number(0, "periodSeconds");
    Checks.positive(path.child("periodSeconds"), period, errors);
    if (period > MAX_PERIOD_SECONDS) {
      errors.invalid(
          path.child("periodSeconds"),
          period,
          "must be less than or equal to " + MAX_PERIOD_SECONDS);
    }
  }
}
