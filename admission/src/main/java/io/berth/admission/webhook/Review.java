package io.berth.admission.webhook;

import io.berth.admission.Lookup;
import io.berth.admission.request.Seen;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One question to one webhook about one request.
public final class Review {

  private static final String GROUP = "admission.k8s.io";
  private static final int DEFAULT_TIMEOUT_SECONDS = 10;

  private final Webhook webhook;
  private final Seen seen;
  private final boolean mutating;

  public Review(Webhook webhook, Seen seen, boolean mutating) {
    this.webhook = webhook;
    this.seen = seen;
    this.mutating = mutating;
  }

  /// An answer that makes sense. `patch` is the body of a JSON patch, or `null`.
  public record Answer(
      boolean allowed,
      byte @Nullable [] patch,
      @Nullable Tree status,
      List<String> warnings,
      Map<String, String> annotations) {}

  /// Asks. Throws [ApiException] when it may not be asked about a dry run.
  public Answer ask(WebhookClient client, Lookup lookup) throws CallException {
    var effects = webhook.spec().textOrEmpty("sideEffects");
    if (seen.attributes().dryRun() && !effects.equals("None") && !effects.equals("NoneOnDryRun")) {
      throw ApiException.badRequest(
          "admission webhook \"%s\" does not support dry run".formatted(webhook.name()));
    }
    var version = version();
    var id = UUID.randomUUID().toString();
    Tree response;
    try {
      var endpoint = Endpoint.of(webhook.spec().treeOrEmpty("clientConfig"), lookup);
      var seconds = webhook.spec().number(DEFAULT_TIMEOUT_SECONDS, "timeoutSeconds");
      response = client.post(endpoint, question(version, id), Duration.ofSeconds(seconds));
    } catch (CallException e) {
      throw e.after("failed to call webhook: ");
    }
    try {
      return answer(response, version, id);
    } catch (CallException e) {
      throw e.after("received invalid webhook response: ");
    }
  }

  private String version() throws CallException {
    for (var version : webhook.spec().list("admissionReviewVersions")) {
      if ("v1".equals(version) || "v1beta1".equals(version)) {
        return version.toString();
      }
    }
    throw new CallException(
        "could not create admission objects: webhook does not accept known AdmissionReview versions"
            + " (v1, v1beta1)");
  }

  private Tree question(String version, String id) {
    var request = seen.request();
    var options = request.remove("options");
    var dryRun = request.remove("dryRun");
    request
        .put("uid", id)
        .put("object", seen.object())
        .put("oldObject", seen.oldObject())
        .put("dryRun", dryRun)
        .put("options", options);
    return Tree.of(
        "kind", "AdmissionReview", "apiVersion", GROUP + "/" + version, "request", request);
  }

  private Answer answer(Tree review, String version, String id) throws CallException {
    var response = review.tree("response");
    if (response == null) {
      throw new CallException("webhook response was absent");
    }
    var patchType = response.text("patchType");
    var patch = patch(response);
    if (version.equals("v1")) {
      check(review, response, id);
      checkPatch(patch, patchType);
    }
    if (mutating && patch != null && patchType != null && !patchType.equals("JSONPatch")) {
      throw new CallException("unsupported patch type \"%s\"".formatted(patchType));
    }
    return new Answer(
        response.flag("allowed"),
        mutating ? patch : null,
        response.tree("status"),
        response.list("warnings").stream().map(String::valueOf).toList(),
        response.texts("auditAnnotations"));
  }

  private static byte @Nullable [] patch(Tree response) throws CallException {
    var text = response.textOrEmpty("patch");
    try {
      return text.isEmpty() ? null : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new CallException("response.patch is not base64: " + e.getMessage());
    }
  }

  private static void check(Tree review, Tree response, String id) throws CallException {
    var answered = response.textOrEmpty("uid");
    if (!answered.equals(id)) {
      throw new CallException("expected response.uid=\"%s\", got \"%s\"".formatted(id, answered));
    }
    var apiVersion = review.textOrEmpty("apiVersion");
    var kind = review.textOrEmpty("kind");
    if (!apiVersion.equals(GROUP + "/v1") || !kind.equals("AdmissionReview")) {
      throw new CallException(
          "expected webhook response of %s/v1, Kind=AdmissionReview, got %s, Kind=%s"
              .formatted(GROUP, apiVersion.contains("/") ? apiVersion : "/" + apiVersion, kind));
    }
  }

  private void checkPatch(byte @Nullable [] patch, @Nullable String type) throws CallException {
    if (!mutating) {
      if (patch != null) {
        throw new CallException("validating webhook may not return response.patch");
      }
      if (type != null) {
        throw new CallException("validating webhook may not return response.patchType");
      }
      return;
    }
    if (patch != null && type == null) {
      throw new CallException("webhook returned response.patch but not response.patchType");
    }
    if (patch == null && type != null) {
      throw new CallException("webhook returned response.patchType but not response.patch");
    }
  }

  /// The refusal of a request that the webhook does not allow.
  public static ApiException refusal(Webhook webhook, @Nullable Tree status) {
    var given = status == null ? new Tree() : status.copy();
    var message = given.textOrEmpty("message");
    var reason = given.textOrEmpty("reason");
    var why = message.isEmpty() ? reason : message;
    var denied = "admission webhook \"%s\" denied the request".formatted(webhook.name());
    return new ApiException(
        code(given),
        reason,
        why.isEmpty() ? denied + " without explanation" : denied + ": " + why,
        given.tree("details"));
  }

  /// A refusal is one, whatever code a webhook makes up for it.
  private static int code(Tree status) {
    long code = Math.max(status.number(400, "code"), 400);
    return code > 599 ? 500 : (int) code;
  }

  /// The refusal of a request about which the webhook could not be asked.
  public static ApiException failure(Webhook webhook, CallException e) {
    var message = "failed calling webhook \"%s\": %s".formatted(webhook.name(), e.text());
    return new ApiException(
        500,
        "InternalError",
        "Internal error occurred: " + message,
        Tree.of("causes", List.of(Tree.of("message", message))));
  }
}
