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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Refuses what validating webhooks do not allow. All that are concerned are asked at once.
///
/// Mirrors: apiserver/pkg/admission/plugin/webhook/validating.Plugin
final class ValidatingAdmissionWebhook implements AdmissionPlugin {

  private final WebhookSet webhooks = new WebhookSet(Others.VALIDATING_WEBHOOKS);
  private final WebhookClient client = new WebhookClient();
  private final Unreachable unreachable;

  ValidatingAdmissionWebhook(Unreachable unreachable) {
    this.unreachable = unreachable;
  }

  @Override
  public String name() {
    return "ValidatingAdmissionWebhook";
  }

  @Override
  public void changed(Resource resource) {
    webhooks.changed(resource);
  }

  @Override
  public boolean reviews(Lookup lookup) {
    return !webhooks.all(lookup).isEmpty();
  }

  @Override
  public void review(Attributes request, Lookup lookup) {
    var all = webhooks.all(lookup);
    if (all.isEmpty() || Matcher.isExempt(request)) {
      return;
    }
    var calls = new ArrayList<Call>();
    for (var webhook : all) {
      var seen = Hooks.concern(webhook, request, lookup);
      if (seen != null) {
        calls.add(new Call(webhook, seen, lookup));
      }
    }
    if (calls.isEmpty()) {
      return;
    }
    var outcomes = askAll(calls);
    ApiException first = null;
    for (int i = 0; i < outcomes.size(); i++) {
      var refusal = outcomes.get(i).tell(calls.get(i).webhook, i, request, unreachable);
      first = first == null ? refusal : first;
    }
    if (first != null) {
      throw first;
    }
  }

  private List<Outcome> askAll(List<Call> calls) {
    var outcomes = new ArrayList<Outcome>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var pending = new ArrayList<Future<Outcome>>();
      for (var call : calls) {
        pending.add(threads.submit(() -> call.ask(client)));
      }
      for (var each : pending) {
        outcomes.add(each.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("asking a webhook failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(504, "Timeout", "request did not complete within requested timeout");
    }
    return outcomes;
  }

  private record Call(Webhook webhook, Seen seen, Lookup lookup) {

    Outcome ask(WebhookClient client) {
      try {
        return new Outcome(new Review(webhook, seen, false).ask(client, lookup), null, null);
      } catch (CallException e) {
        return new Outcome(null, e, null);
      } catch (ApiException e) {
        return new Outcome(null, null, e);
      }
    }
  }

  /// What came of one call: an answer, or why there is none.
  private record Outcome(
      Review.@Nullable Answer answer,
      @Nullable CallException failure,
      @Nullable ApiException refusal) {

    /// Passes on what the webhook says; the refusal, if it is one.
    @Nullable ApiException tell(
        Webhook webhook, int index, Attributes request, Unreachable unreachable) {
      if (failure != null) {
        if (!webhook.ignoresFailures()
            && !Hooks.skips(unreachable, Others.VALIDATING_WEBHOOKS, webhook, request, failure)) {
          return Review.failure(webhook, failure);
        }
        request.annotate(
            "failed-open.validating.webhook.admission.k8s.io/round_0_index_" + index,
            webhook.name());
        return null;
      }
      if (answer == null) {
        return refusal;
      }
      answer
          .annotations()
          .forEach((key, value) -> request.annotate(webhook.name() + "/" + key, value));
      answer.warnings().forEach(request::warn);
      return answer.allowed() ? null : Review.refusal(webhook, answer.status());
    }
  }
}
