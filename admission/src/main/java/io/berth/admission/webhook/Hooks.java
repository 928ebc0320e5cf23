package io.berth.admission.webhook;

import io.berth.admission.Attributes;
import io.berth.admission.Lookup;
import io.berth.admission.request.Bindings;
import io.berth.admission.request.Matcher;
import io.berth.admission.request.Seen;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import org.jspecify.annotations.Nullable;

/// Whether a request is for a webhook.
public final class Hooks {

  private Hooks() {}

  /// The request as the webhook wants to see it, or `null` when it is not for it.
  public static @Nullable Seen concern(Webhook webhook, Attributes request, Lookup lookup) {
    var version = new Matcher(request, lookup).webhook(webhook.spec());
    if (version == null) {
      return null;
    }
    var seen = new Seen(request, version, lookup);
    if (webhook.conditions().isEmpty()) {
      return seen;
    }
    var answer =
        webhook.conditions().check(Bindings.of(seen, null).withAuthorizer(request, lookup));
    if (!answer.error().isEmpty() && !webhook.ignoresFailures()) {
      throw forbidden(request, answer.error());
    }
    return answer.matches() ? seen : null;
  }

  /// Whether a request goes on although this webhook could not be asked, and those who sent it are
  /// told.
  public static boolean skips(
      Unreachable unreachable,
      Resource configurations,
      Webhook webhook,
      Attributes request,
      CallException failure) {
    if (!failure.isUnreachable() || !unreachable.skips(configurations, webhook, failure.text())) {
      return false;
    }
    request.warn(
        "admission webhook \"%s\" was skipped: %s".formatted(webhook.name(), failure.text()));
    return true;
  }

  private static ApiException forbidden(Attributes request, String why) {
    return request.forbidden(why);
  }
}
