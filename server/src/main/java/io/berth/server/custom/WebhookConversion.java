package io.berth.server.custom;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.kinds.Conversion;
import io.berth.kinds.custom.CustomDefinition;
import io.berth.kinds.custom.CustomVersion;
import java.util.ArrayList;
import java.util.List;

/// Conversion strategy `Webhook`: what is stored in one version a webhook turns into another.
///
/// As in Kubernetes, an object gets the defaults of the version it is stored in and loses what that
/// does not have, is converted, and loses what the served version does not have.
record WebhookConversion(
    ConversionWebhook webhook, CustomDefinition definition, CustomVersion served)
    implements Conversion {

  @Override
  public Tree toStorage(Tree object) {
    return object.isFrozen() ? object.copy() : object;
  }

  @Override
  public boolean judgesServed() {
    return true;
  }

  @Override
  public Tree fromStorage(Tree stored) {
    try {
      return shown(List.of(stored)).getFirst();
    } catch (ApiException e) {
      // What is still on its way into the store is not corrupt.
      throw stored.textOrEmpty("metadata", "resourceVersion").isEmpty() ? e : corrupt(stored, e);
    }
  }

  @Override
  public List<Tree> fromStorage(List<Tree> stored) {
    try {
      return shown(stored);
    } catch (ApiException e) {
      throw unreadable(stored, e);
    }
  }

  private List<Tree> shown(List<Tree> stored) {
    var current = new ArrayList<Tree>(stored.size());
    for (var each : stored) {
      current.add(versionOf(each).objects().stored(each));
    }
    var wanted = served.resource().apiVersion();
    var converted = webhook.convert(current, wanted);
    for (int i = 0; i < current.size(); i++) {
      if (!current.get(i).textOrEmpty("apiVersion").equals(wanted)) {
        current.set(i, served.objects().shown(converted.get(i)));
      }
    }
    return current;
  }

  private CustomVersion versionOf(Tree stored) {
    var apiVersion = stored.textOrEmpty("apiVersion");
    return definition
        .find(apiVersion)
        .orElseThrow(() ->
            new ApiException(
                500, "", "request to convert CR from an invalid group/version: " + apiVersion));
  }

  @Override
  public Tree settled(Tree judged) {
    var storage = definition.storage();
    var converted = webhook.convert(List.of(judged), storage.resource().apiVersion());
    return storage.objects().settled(converted.getFirst());
  }

  private ApiException corrupt(Tree stored, ApiException cause) {
    var problem = problem("", stored, cause);
    return new ApiException(
        500,
        "InternalError",
        "Internal error occurred: " + problem,
        Tree.of("causes", List.of(Tree.of("message", problem))));
  }

  /// As Kubernetes answers lists while it cannot fill its cache.
  private ApiException unreadable(List<Tree> stored, ApiException cause) {
    var wanted = served.resource().apiVersion();
    var failed =
        stored.stream().filter(each -> !each.textOrEmpty("apiVersion").equals(wanted)).toList();
    return new ApiException(
        429,
        "TooManyRequests",
        "storage is (re)initializing: failed to list <unspecified>: failed to read one or more %s from the storage: %s%s"
            .formatted(
                served.resource().qualified(),
                problem(
                    "/registry", failed.isEmpty() ? stored.getFirst() : failed.getFirst(), cause),
                failed.size() > 1 ? " (and %d more)".formatted(failed.size() - 1) : ""),
        Tree.of("retryAfterSeconds", 1));
  }

  private String problem(String root, Tree stored, ApiException cause) {
    var meta = stored.treeOrEmpty("metadata");
    var resource = served.resource();
    var key = new StringBuilder(root).append('/').append(resource.group());
    key.append('/').append(resource.plural());
    if (resource.namespaced()) {
      key.append('/').append(meta.textOrEmpty("namespace"));
    }
    key.append('/').append(meta.textOrEmpty("name"));
    return "StorageError: corrupt object, Code: 7, Key: %s, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=%s: %s"
        .formatted(key, meta.textOrEmpty("resourceVersion"), cause.getMessage());
  }
}
