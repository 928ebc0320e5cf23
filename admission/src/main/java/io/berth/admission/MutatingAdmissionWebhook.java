package io.berth.admission;

import io.berth.admission.request.Matcher;
import io.berth.admission.request.Seen;
import io.berth.admission.webhook.CallException;
import io.berth.admission.webhook.Hooks;
import io.berth.admission.webhook.Review;
import io.berth.admission.webhook.Unreachable;
import io.berth.admission.webhook.Webhook;
import io.berth.admission.webhook.WebhookClient;
import io.berth.admission.webhook.WebhookSet;
import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.schema.patch.JsonPatch;
import io.berth.schema.patch.OperationException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes objects as mutating webhooks answer, one webhook after another.
///
/// Mirrors: apiserver/pkg/admission/plugin/webhook/mutating.Plugin
final class MutatingAdmissionWebhook implements AdmissionPlugin {

  private final WebhookSet webhooks = new WebhookSet(Others.MUTATING_WEBHOOKS);
  private final WebhookClient client = new WebhookClient();
  private final Unreachable unreachable;

  MutatingAdmissionWebhook(Unreachable unreachable) {
    this.unreachable = unreachable;
  }

  @Override
  public String name() {
    return "MutatingAdmissionWebhook";
  }

  @Override
  public void changed(Resource resource) {
    webhooks.changed(resource);
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    // Deletions are shown before the store's transaction, in which they pass the mutating phase.
    if (!request.is(Operation.DELETE)) {
      askAll(request, lookup);
    }
  }

  @Override
  public boolean reviews(Lookup lookup) {
    return !webhooks.all(lookup).isEmpty();
  }

  @Override
  public void review(Attributes request, Lookup lookup) {
    if (request.is(Operation.DELETE)) {
      askAll(request, lookup);
    }
  }

  private void askAll(Attributes request, Lookup lookup) {
    var all = webhooks.all(lookup);
    if (all.isEmpty() || Matcher.isExempt(request)) {
      return;
    }
    var reinvocation = request.reinvocation();
    var round = reinvocation.of(name());
    if (reinvocation.isAgain() && round.isChanged(object(request))) {
      round.repeatAsked();
    }
    for (int i = 0; i < all.size(); i++) {
      var webhook = all.get(i);
      var seen = Hooks.concern(webhook, request, lookup);
      if (seen == null || (reinvocation.isAgain() && !round.repeats(webhook.key()))) {
        continue;
      }
      ask(webhook, i, seen, lookup);
      if (seen.isChanged()) {
        round.repeatAsked();
        reinvocation.require();
      }
      if (webhook.wantsReinvocation()) {
        round.wants(webhook.key());
      }
    }
    round.remember(object(request));
  }

  private static @Nullable Tree object(Attributes request) {
    return request.hasObject() ? request.object() : null;
  }

  private void ask(Webhook webhook, int index, Seen seen, Lookup lookup) {
    var request = seen.attributes();
    var place = "round_%d_index_%d".formatted(request.reinvocation().isAgain() ? 1 : 0, index);
    try {
      var answer = new Review(webhook, seen, true).ask(client, lookup);
      answer
          .annotations()
          .forEach((key, value) -> request.annotate(webhook.name() + "/" + key, value));
      answer.warnings().forEach(request::warn);
      if (!answer.allowed()) {
        throw Review.refusal(webhook, answer.status());
      }
      var patch = answer.patch();
      if (patch != null) {
        change(webhook, seen, patch);
      }
      request.annotate(
          "mutation.webhook.admission.k8s.io/" + place,
          Json.text(
              Tree.of(
                  "configuration", webhook.configuration(),
                  "webhook", webhook.name(),
                  "mutated", seen.isChanged())));
    } catch (CallException e) {
      if (!webhook.ignoresFailures()
          && !Hooks.skips(unreachable, Others.MUTATING_WEBHOOKS, webhook, request, e)) {
        throw Review.failure(webhook, e);
      }
      request.annotate("failed-open.mutation.webhook.admission.k8s.io/" + place, webhook.name());
    }
  }

  private static void change(Webhook webhook, Seen seen, byte[] patch) {
    var object = seen.object();
    if (object == null) {
      throw internal(
          "admission webhook \"%s\" attempted to modify the object, which is not supported for this operation"
              .formatted(webhook.name()));
    }
    try {
      var changed = JsonPatch.apply(JsonPatch.operations(patch), object);
      if (!changed.equals(object)) {
        seen.change(changed);
      }
    } catch (OperationException e) {
      throw internal(e.text());
    } catch (ApiException e) {
      throw internal(String.valueOf(e.getMessage()));
    }
  }

  private static ApiException internal(String message) {
    return new ApiException(
        500,
        "InternalError",
        "Internal error occurred: " + message,
        Tree.of("causes", List.of(Tree.of("message", message))));
  }
}
