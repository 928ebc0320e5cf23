package io.berth.server.registry;

import io.berth.store.Key;
import java.util.Map;
import java.util.Set;

/// The keys under which Kubernetes keeps objects, as its messages show them.
final class RegistryKeys {

  /// Groups whose kinds are kept without them; custom kinds and those that serve others keep
  /// theirs.
  private static final Set<String> BUILT_IN =
      Set.of(
          "admissionregistration.k8s.io",
          "certificates.k8s.io",
          "coordination.k8s.io",
          "discovery.k8s.io",
          "flowcontrol.apiserver.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "rbac.authorization.k8s.io",
          "resource.k8s.io",
          "scheduling.k8s.io",
          "storage.k8s.io",
          "storagemigration.k8s.io");

  /// Kinds that are kept under names they had long ago.
  private static final Map<String, String> OLD_NAMES =
      Map.of(
          "/replicationcontrollers", "controllers",
          "/endpoints", "services/endpoints",
          "/services", "services/specs",
          "/nodes", "minions",
          "networking.k8s.io/ingresses", "ingress");

  private RegistryKeys() {}

  static String of(Key key) {
    var path = new StringBuilder("/registry/");
    if (key.group().contains(".") && !BUILT_IN.contains(key.group())) {
      path.append(key.group()).append('/');
    }
    path.append(OLD_NAMES.getOrDefault(key.group() + "/" + key.resource(), key.resource()));
    if (!key.namespace().isEmpty()) {
      path.append('/').append(key.namespace());
    }
    return path.append('/').append(key.name()).toString();
  }
}
