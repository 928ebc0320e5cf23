package io.berth.admission;

import static io.berth.api.Resource.PERSISTENT_VOLUME_CLAIMS;
import static io.berth.api.Resource.STORAGE_CLASSES;

import io.berth.api.Quantity;
import io.berth.api.Tree;

/// Lets claims grow only when they are bound and their storage class says so.
///
/// Mirrors: plugin/pkg/admission/storage/persistentvolume/resize.persistentVolumeClaimResize
final class PersistentVolumeClaimResize implements AdmissionPlugin {

  @Override
  public String name() {
    return "PersistentVolumeClaimResize";
  }

  @Override
  public void validate(Attributes request, Lookup lookup) {
    if (!request.isFor(PERSISTENT_VOLUME_CLAIMS)
        || !request.is(Operation.UPDATE)
        || size(request.object()).compareTo(size(request.oldObject())) <= 0) {
      return;
    }
    if (!request.oldObject().textOrEmpty("status", "phase").equals("Bound")) {
      throw request.forbidden("Only bound persistent volume claims can be expanded");
    }
    if (!mayGrow(request, lookup)) {
      throw request.forbidden(
          "only dynamically provisioned pvc can be resized and the storageclass that provisions the"
              + " pvc must support resize");
    }
  }

  private static Quantity size(Tree claim) {
    var text = claim.text("spec", "resources", "requests", "storage");
    return text == null ? Quantity.ZERO : Quantity.parse(text);
  }

  private static boolean mayGrow(Attributes request, Lookup lookup) {
    var name = classOf(request.object());
    if (name.isEmpty() || !name.equals(classOf(request.oldObject()))) {
      return false;
    }
    var found = lookup.find(STORAGE_CLASSES, "", name);
    return found != null && found.flag("allowVolumeExpansion");
  }

  private static String classOf(Tree claim) {
    var annotated =
        claim.text("metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
    return annotated != null ? annotated : claim.textOrEmpty("spec", "storageClassName");
  }
}
