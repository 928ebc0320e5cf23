package io.berth.admission;

import static io.berth.api.Resource.PERSISTENT_VOLUMES;
import static io.berth.api.Resource.PERSISTENT_VOLUME_CLAIMS;

import io.berth.api.Tree;

/// Puts a finalizer on volumes and claims, so that they outlive whoever still uses them.
///
/// Mirrors: plugin/pkg/admission/storage/storageobjectinuseprotection.storageProtectionPlugin
final class StorageObjectInUseProtection implements AdmissionPlugin {

  @Override
  public String name() {
    return "StorageObjectInUseProtection";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!request.is(Operation.CREATE) || !request.subresource().isEmpty()) {
      return;
    }
    if (request.isFor(PERSISTENT_VOLUMES)) {
      protect(request.object(), "kubernetes.io/pv-protection");
    } else if (request.isFor(PERSISTENT_VOLUME_CLAIMS)) {
      protect(request.object(), "kubernetes.io/pvc-protection");
    } else if (request.resource().plural().equals("volumeattributesclasses")) {
      protect(request.object(), "kubernetes.io/vac-protection");
    }
  }

  private static void protect(Tree object, String finalizer) {
    var finalizers = object.child("metadata").childList("finalizers");
    if (!finalizers.contains(finalizer)) {
      finalizers.add(finalizer);
    }
  }
}
