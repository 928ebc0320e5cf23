package io.berth.server.custom;

import io.berth.admission.Lookup;
import io.berth.admission.webhook.CallException;
import io.berth.admission.webhook.WebhookClient;
import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The webhook of one definition: asks it with `ConversionReview`s.
///
/// All objects of a list go in one request, as long as they are not too large together.
final class ConversionWebhook {

  private static final String GROUP = "apiextensions.k8s.io/";
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int MAX_REQUEST_BYTES = 2 << 20;

  private final Tree clientConfig;
  private final String version;
  private final WebhookClient client;
  private final Supplier<Lookup> lookup;

  /// `webhook` is the `spec.conversion.webhook` of the definition.
  ConversionWebhook(Tree webhook, WebhookClient client, Supplier<Lookup> lookup) {
    this.clientConfig = webhook.treeOrEmpty("clientConfig");
    this.version = version(webhook);
    this.client = client;
    this.lookup = lookup;
  }

  /// The first version of the review that both sides know.
  private static String version(Tree webhook) {
    for (var each : webhook.list("conversionReviewVersions")) {
      if ("v1".equals(each) || "v1beta1".equals(each)) {
        return each.toString();
      }
    }
    return "";
  }

  /// The objects in `apiVersion`, in their order. Those that are in it stay as they are.
  List<Tree> convert(List<Tree> objects, String apiVersion) {
    var converted = new ArrayList<>(objects);
    var indices = new ArrayList<Integer>();
    long bytes = 0;
    for (int i = 0; i < objects.size(); i++) {
      if (!objects.get(i).textOrEmpty("apiVersion").equals(apiVersion)) {
        indices.add(i);
        bytes += objects.size() == 1 ? 0 : Json.write(objects.get(i)).length;
      }
      if (bytes > MAX_REQUEST_BYTES) {
        ask(converted, indices, apiVersion);
        indices.clear();
        bytes = 0;
      }
    }
    ask(converted, indices, apiVersion);
    return converted;
  }

  /// Replaces the objects at `indices` by converted ones.
  private void ask(List<Tree> objects, List<Integer> indices, String apiVersion) {
    if (indices.isEmpty()) {
      return;
    }
    var originals = indices.stream().map(objects::get).toList();
    var id = UUID.randomUUID().toString();
    var name =
        "conversion webhook for %s, Kind=%s"
            .formatted(
                originals.getFirst().textOrEmpty("apiVersion"),
                originals.getFirst().textOrEmpty("kind"));
    try {
      var review =
          client.post(clientConfig, review(originals, apiVersion, id), TIMEOUT, lookup.get());
      var answer = new ConversionAnswer(name, apiVersion, originals);
      var converted = answer.objects(review, version, id);
      for (int i = 0; i < indices.size(); i++) {
        objects.set(indices.get(i), converted.get(i));
      }
    } catch (CallException e) {
      throw new ApiException(500, "", name + " failed: " + e.text());
    }
  }

  private Tree review(List<Tree> objects, String apiVersion, String id) {
    if (version.isEmpty()) {
      throw new ApiException(500, "", "no supported conversion review versions");
    }
    var sent = new ArrayList<@Nullable Object>(objects.size());
    objects.forEach(object -> sent.add(unversioned(object)));
    return Tree.of(
        "kind",
        "ConversionReview",
        "apiVersion",
        GROUP + version,
        "request",
        Tree.of("uid", id, "desiredAPIVersion", apiVersion, "objects", sent),
        "response",
        Tree.of("uid", "", "convertedObjects", null, "result", Tree.of("metadata", new Tree())));
  }

  /// As in Kubernetes, whose stored objects do not hold their revision.
  private static Tree unversioned(Tree object) {
    if (object.at("metadata", "resourceVersion") == null) {
      return object;
    }
    var copy = object.copy();
    var _ = Objects.requireNonNull(copy.tree("metadata")).remove("resourceVersion");
    return copy;
  }
}
