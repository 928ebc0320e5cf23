package io.berth.admission;

import java.util.List;
import java.util.Set;

/// Every plugin there is, in the order Kubernetes runs them, and whether it is on by default.
final class Plugins {

  /// Plugins of Kubernetes that Berth does not have. Naming them to switch them off is no error.
  static final Set<String> NOT_BUILT_IN =
      Set.of(
          "AlwaysAdmit",
          "AlwaysDeny",
          "ClusterTrustBundleAttest",
          "DenyServiceExternalIPs",
          "EventRateLimit",
          "ImagePolicyWebhook",
          "MutatingAdmissionPolicy",
          "MutatingAdmissionWebhook",
          "NamespaceAutoProvision",
          "NamespaceExists",
          "OwnerReferencesPermissionEnforcement",
          "ValidatingAdmissionPolicy",
          "ValidatingAdmissionWebhook");

  record Entry(AdmissionPlugin plugin, boolean onByDefault) {}

  private static final List<Entry> IN_ORDER = List.of();

  private Plugins() {}

  static List<Entry> inOrder() {
    return IN_ORDER;
  }
}
