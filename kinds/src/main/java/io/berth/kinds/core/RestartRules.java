package io.berth.kinds.core;

import io.berth.kinds.meta.Cursor;
import java.util.List;

/// The rules of a container's own restart policy.
///
/// Mirrors: core/validation.validateContainerRestartPolicy
final class RestartRules {

  private static final List<String> POLICIES = List.of("Always", "Never", "OnFailure");
  private static final List<String> ACTIONS = List.of("Restart", "RestartAllContainers");
  private static final List<String> OPERATORS = List.of("In", "NotIn");
  private static final int MAX_RULES = 20;
  private static final int MAX_EXIT_CODES = 255;

  private RestartRules() {}

  static void validate(Cursor container) {
    var policy = container.at("restartPolicy");
    var rules = container.at("restartPolicyRules");
    policy.ifSet().supported(POLICIES);
    if (!policy.isSet() && !rules.isEmpty()) {
      policy.missing("must specify restartPolicy when restart rules are used");
    }
    rules.atMostItems(MAX_RULES).each().forEach(RestartRules::rule);
  }

  private static void rule(Cursor rule) {
    rule.at("action").supported(ACTIONS);
    var codes = rule.at("exitCodes").required("must be specified");
    codes.at("operator").supported(OPERATORS);
    codes.at("values").atMostItems(MAX_EXIT_CODES);
  }
}
