package io.berth.workloads.policy;

import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Lists whose items have a key: environment variables, labels, tolerations, volumes, ports.
final class Items {

  private Items() {}

  /// The field that tells items apart.
  static String keyOf(List<String> path) {
    return switch (path.getLast()) {
      case "extendedResources" -> "resource";
      case "ports", "exposedUrls", "relatedUrls" -> "container";
      default -> "name";
    };
  }

  static String key(Tree item, String keyField) {
    var value = item.get(keyField);
    return value == null ? item.textOrEmpty("name") : String.valueOf(value);
  }

  /// The default items that the request does not exclude, as the request changes them, and then the
  /// request's own; these take attributes they lack from the defaults.
  static List<Tree> merged(Tree defaults, List<Tree> requested, String keyField) {
    Map<String, Tree> byKey = new LinkedHashMap<>();
    for (var item : defaults.trees("instances")) {
      byKey.put(key(item, keyField), item.copy());
    }
    for (var item : requested) {
      var key = key(item, keyField);
      if (item.flag("exclude")) {
        byKey.remove(key);
        continue;
      }
      var base =
          byKey.containsKey(key) ? byKey.get(key) : defaults.treeOrEmpty("attributes").copy();
      var whole = base == null ? new Tree() : base;
      item.fields().forEach(whole::put);
      byKey.put(key, whole);
    }
    return new ArrayList<>(byKey.values());
  }
}
