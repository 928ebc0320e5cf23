package io.berth.server.discovery;

import io.berth.api.Tree;

/// Resources as an `APIResourceList` shows them.
final class PlainForm {

  private PlainForm() {}

  static Tree resource(Advertised each) {
    var resource = each.resource();
    var tree =
        Tree.of(
            "name", resource.plural(),
            "singularName", each.singular(),
            "namespaced", resource.namespaced(),
            "kind", resource.kind(),
            "verbs", each.verbs());
    if (!each.shortNames().isEmpty()) {
      tree.put("shortNames", each.shortNames());
    }
    if (!each.categories().isEmpty()) {
      tree.put("categories", each.categories());
    }
    if (each.verbs().contains("list") && !each.storageVersion().isEmpty()) {
      tree.put(
          "storageVersionHash",
          Discovery.storageHash(each.storageVersion() + "/" + resource.kind()));
    }
    return tree;
  }

  static Tree subresource(Advertised each, Advertised.Subresource subresource) {
    var tree =
        Tree.of(
            "name",
            each.resource().plural() + "/" + subresource.name(),
            "singularName",
            "",
            "namespaced",
            each.resource().namespaced());
    if (!subresource.version().isEmpty()) {
      tree.put("group", subresource.group());
      tree.put("version", subresource.version());
    }
    return tree.put("kind", subresource.kind()).put("verbs", subresource.verbs());
  }
}
