package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import java.util.List;

/// The rules of a container's own restart policy.
final class RestartRules {

  private static final int MAX_RULES = 20;
  private static final int MAX_EXIT_CODES = 255;

  private RestartRules() {}

  static void validate(Tree container, FieldPath path, FieldErrors errors) {
    var policy = container.text("restartPolicy");
    var rules = container.trees("restartPolicyRules");
    if (policy != null) {
      Checks.supported(
          path.child("restartPolicy"), policy, List.of("Always", "Never", "OnFailure"), errors);
    } else if (!rules.isEmpty()) {
      errors.required(
          path.child("restartPolicy"), "must specify restartPolicy when restart rules are used");
    }
    if (rules.size() > MAX_RULES) {
      errors.tooMany(path.child("restartPolicyRules"), rules.size(), MAX_RULES);
    }
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.get(i), path.child("restartPolicyRules").index(i), errors);
    }
  }

  private static void rule(Tree rule, FieldPath path, FieldErrors errors) {
    Checks.supported(
        path.child("action"),
        rule.textOrEmpty("action"),
        List.of("Restart", "RestartAllContainers"),
        errors);
    var codes = rule.tree("exitCodes");
    if (codes == null) {
      errors.required(path.child("exitCodes"), "must be specified");
      return;
    }
    var at = path.child("exitCodes");
    Checks.supported(
        at.child("operator"), codes.textOrEmpty("operator"), List.of("In", "NotIn"), errors);
    if (codes.list("values").size() > MAX_EXIT_CODES) {
      errors.tooMany(at.child("values"), codes.list("values").size(), MAX_EXIT_CODES);
    }
  }
}
