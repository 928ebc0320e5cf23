package io.berth.admission.webhook;

import io.berth.admission.request.MatchConditions;
import io.berth.api.Tree;
import io.berth.schema.policy.PolicyExpressions;

/// One webhook of a configuration.
public record Webhook(String configuration, Tree spec, MatchConditions conditions) {

  static Webhook of(String configuration, Tree spec) {
    return new Webhook(
        configuration,
        spec,
        new MatchConditions(spec.trees("matchConditions"), PolicyExpressions.single(), false));
  }

  public String name() {
    return spec.textOrEmpty("name");
  }

  /// Whether a request passes when the webhook cannot be asked.
  public boolean ignoresFailures() {
    return spec.textOrEmpty("failurePolicy").equals("Ignore");
  }

  /// Whether it wants to be asked again when others changed the object after it.
  public boolean wantsReinvocation() {
    return spec.textOrEmpty("reinvocationPolicy").equals("IfNeeded");
  }

  /// What tells it from others when the mutating phase is repeated.
  public String key() {
    return configuration + "/" + name();
  }
}
