package io.berth.kinds.autoscaling;

import io.berth.kinds.meta.Cursor;
import java.util.List;

/// How quickly an autoscaler may act.
///
/// Mirrors: autoscaling/validation.validateBehavior
final class Behaviors {

  private static final int MAX_WINDOW_SECONDS = 3600;
  private static final int MAX_PERIOD_SECONDS = 1800;
  private static final List<String> SELECTIONS = List.of("Disabled", "Max", "Min");
  private static final List<String> TYPES = List.of("Percent", "Pods");

  private Behaviors() {}

  static void validate(Cursor behavior) {
    behavior.at("scaleUp").ifSet(Behaviors::validateRules);
    behavior.at("scaleDown").ifSet(Behaviors::validateRules);
  }

  private static void validateRules(Cursor rules) {
    var window = rules.at("stabilizationWindowSeconds");
    if (window.number() < 0) {
      window.invalid("must be greater than or equal to zero");
    } else if (window.number() > MAX_WINDOW_SECONDS) {
      window.invalid("must be less than or equal to " + MAX_WINDOW_SECONDS);
    }
    rules.at("selectPolicy").ifSet().supported(SELECTIONS);
    rules.at("policies").required("must specify at least one Policy");
    rules.each("policies", Behaviors::validatePolicy);
    rules.at("tolerance").ifSet().nonNegativeQuantity();
  }

  private static void validatePolicy(Cursor policy) {
    policy.at("type").supported(TYPES);
    policy.at("value").positive();
    var period = policy.at("periodSeconds").positive();
    if (period.number() > MAX_PERIOD_SECONDS) {
      period.invalid("must be less than or equal to " + MAX_PERIOD_SECONDS);
    }
  }
}
