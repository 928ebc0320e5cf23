package io.berth.admission.webhook;

import io.berth.api.Resource;

/// What becomes of a request when nobody is there to ask about it.
@FunctionalInterface
public interface Unreachable {

  /// As in Kubernetes: the webhook's `failurePolicy` decides.
  Unreachable FAILS = (_, _, _) -> false;

  /// Whether the request goes on without the word of a webhook that its `failurePolicy` makes
  /// necessary. `configurations` is the kind that the webhook comes from.
  boolean skips(Resource configurations, Webhook webhook, String why);
}
