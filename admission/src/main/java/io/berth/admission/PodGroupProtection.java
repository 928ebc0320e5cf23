package io.berth.admission;

import static io.berth.api.Resource.POD_GROUPS;

/// Puts a finalizer on pod groups, so that they outlive their last running pod.
///
/// Mirrors: plugin/pkg/admission/scheduling/podgroupprotection.podGroupProtectionPlugin
final class PodGroupProtection implements AdmissionPlugin {

  private static final String FINALIZER = "scheduling.k8s.io/podgroup-protection";

  @Override
  public String name() {
    return "PodGroupProtection";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (request.isFor(POD_GROUPS) && request.is(Operation.CREATE)) {
      var finalizers = request.object().child("metadata").childList("finalizers");
      if (!finalizers.contains(FINALIZER)) {
        finalizers.add(FINALIZER);
      }
    }
  }
}
