package io.berth.server.discovery;

import io.berth.api.Tree;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// Resources as an `APIGroupDiscoveryList` shows them.
final class AggregatedForm {

  private AggregatedForm() {}

  static Tree resource(Advertised each) {
    var resource = each.resource();
    var tree =
        Tree.of(
            "resource", resource.plural(),
            "responseKind", kind(resource.group(), resource.version(), resource.kind()),
            "scope", resource.namespaced() ? "Namespaced" : "Cluster",
            "singularResource", each.singular(),
            "verbs", each.verbs());
    if (!each.shortNames().isEmpty()) {
      tree.put("shortNames", each.shortNames());
    }
    if (!each.categories().isEmpty()) {
      tree.put("categories", each.categories());
    }
    var subresources = new ArrayList<@Nullable Object>();
    for (var subresource : each.subresources()) {
      boolean foreign = !subresource.version().isEmpty();
      subresources.add(
          Tree.of(
              "subresource", subresource.name(),
              "responseKind",
                  kind(
                      foreign ? subresource.group() : resource.group(),
                      foreign ? subresource.version() : resource.version(),
                      subresource.kind()),
              "verbs", subresource.verbs()));
    }
    return subresources.isEmpty() ? tree : tree.put("subresources", subresources);
  }

  private static Tree kind(String group, String version, String kind) {
    return Tree.of("group", group, "version", version, "kind", kind);
  }
}
