package io.berth.schema.openapi;

import io.berth.api.Resource;
import java.util.Locale;
import java.util.Set;

/// The names that Kubernetes gives operations; generated clients name their methods after them:
/// `listCoreV1NamespacedPod`.
final class OperationIds {

  /// Subresources that are connections, not objects.
  private static final Set<String> CONNECTIONS = Set.of("attach", "exec", "portforward", "proxy");

  private OperationIds() {}

  /// `inNamespace` is false for the list of a namespaced kind over all namespaces.
  static String of(String action, Resource resource, boolean inNamespace) {
    var verb =
        switch (action) {
          case "get" -> "read";
          case "post" -> "create";
          case "put" -> "replace";
          case "deletecollection" -> "delete";
          default -> action;
        };
    var id = new StringBuilder(verb).append(groupVersion(resource));
    if (action.equals("deletecollection")) {
      id.append("Collection");
    }
    if (!resource.namespaced()) {
      return id.append(resource.kind()).toString();
    }
    return inNamespace
        ? id.append("Namespaced").append(resource.kind()).toString()
        : id.append(resource.kind()).append("ForAllNamespaces").toString();
  }

  static String ofSubresource(String action, Resource resource, String subresource) {
    var name = capital(subresource);
    if (!CONNECTIONS.contains(subresource)) {
      return of(action, resource, true) + name;
    }
    var kind = (resource.namespaced() ? "Namespaced" : "") + resource.kind() + name;
    return "connect" + groupVersion(resource) + capital(action) + kind;
  }

  /// The group and version that operations are filed under: `rbacAuthorization_v1`.
  static String tag(Resource resource) {
    var group = group(resource);
    return group.substring(0, 1).toLowerCase(Locale.ROOT)
        + group.substring(1)
        + "_"
        + resource.version();
  }

  private static String groupVersion(Resource resource) {
    return group(resource) + capital(resource.version());
  }

  private static String group(Resource resource) {
    if (resource.group().isEmpty()) {
      return "Core";
    }
    var group = resource.group();
    var shorter =
        group.endsWith(".k8s.io") ? group.substring(0, group.length() - ".k8s.io".length()) : group;
    var name = new StringBuilder();
    for (var part : shorter.split("[.-]", -1)) {
      name.append(capital(part));
    }
    return name.toString();
  }

  private static String capital(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }
}
