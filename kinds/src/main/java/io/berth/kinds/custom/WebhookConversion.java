package io.berth.kinds.custom;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Conversion;

/// Conversion strategy `Webhook`, for versions other than the stored one.
///
/// A departure from Kubernetes, told in `docs/compatibility.md`: no webhook is called here, so that
/// such a version cannot be read or written.
public record WebhookConversion(Resource served) implements Conversion {

  @Override
  public Tree toStorage(Tree object) {
    throw failed();
  }

  @Override
  public Tree fromStorage(Tree stored) {
    throw failed();
  }

  private ApiException failed() {
    var message =
        "conversion webhook for %s, Kind=%s failed: this server calls no webhooks; use the version in which the objects are stored"
            .formatted(served.apiVersion(), served.kind());
    return new ApiException(500, "InternalError", "Internal error occurred: " + message);
  }
}
