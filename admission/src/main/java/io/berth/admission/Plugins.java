package io.berth.admission;

import io.berth.admission.webhook.Unreachable;
import java.time.InstantSource;
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
          "JobValidation",
          "NamespaceAutoProvision",
          "NamespaceExists",
          "NodeDeclaredFeatureValidator",
          "OwnerReferencesPermissionEnforcement",
          "PodGroupWorkloadExists");

  record Entry(AdmissionPlugin plugin, boolean onByDefault) {}

  private Plugins() {}

  /// Made anew for each server: some keep what they compiled of its objects.
  static List<Entry> inOrder(Unreachable unreachable, InstantSource clock) {
    return List.of(
        on(new NamespaceLifecycle()),
        off(new LimitPodHardAntiAffinityTopology()),
        on(new LimitRanger()),
        on(new ServiceAccount()),
        // Off by default in Kubernetes, where installers turn it on.
        on(new NodeRestriction()),
        on(new TaintNodesByCondition()),
        off(new AlwaysPullImages()),
        on(new PodSecurity()),
        off(new PodNodeSelector()),
        on(new Priority()),
        on(new DefaultTolerationSeconds()),
        off(new PodTolerationRestriction()),
        off(new ExtendedResourceToleration()),
        on(new DefaultStorageClass()),
        on(new StorageObjectInUseProtection()),
        on(new PodGroupProtection()),
        on(new PersistentVolumeClaimResize()),
        on(new RuntimeClass()),
        on(new CertificateApproval()),
        on(new CertificateSigning()),
        on(new CertificateSubjectRestriction()),
        on(new DefaultIngressClass()),
        on(new PodTopologyLabels()),
        on(new PodResizeValidator()),
        on(new MutatingAdmissionPolicy()),
        on(new MutatingAdmissionWebhook(unreachable)),
        on(new ValidatingAdmissionPolicy()),
        on(new ValidatingAdmissionWebhook(unreachable)),
        on(new ResourceQuota(clock)));
  }

  private static Entry on(AdmissionPlugin plugin) {
    return new Entry(plugin, true);
  }

  private static Entry off(AdmissionPlugin plugin) {
    return new Entry(plugin, false);
  }
}
