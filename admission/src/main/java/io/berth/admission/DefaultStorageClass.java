package io.berth.admission;

import static io.berth.api.Resource.PERSISTENT_VOLUME_CLAIMS;
import static io.berth.api.Resource.STORAGE_CLASSES;

import java.util.List;

/// Gives claims that name no storage class the default one.
///
/// Mirrors: plugin/pkg/admission/storage/storageclass/setdefault.claimDefaulterPlugin
final class DefaultStorageClass implements AdmissionPlugin {

  private static final List<String> ANNOTATIONS =
      List.of(
          "storageclass.kubernetes.io/is-default-class",
          "storageclass.beta.kubernetes.io/is-default-class");

  @Override
  public String name() {
    return "DefaultStorageClass";
  }

  @Override
  public void mutate(Attributes request, Lookup lookup) {
    if (!request.isFor(PERSISTENT_VOLUME_CLAIMS) || !request.is(Operation.CREATE)) {
      return;
    }
    var claim = request.object();
    boolean named =
        claim.at("spec", "storageClassName") != null
            || claim.at("metadata", "annotations", "volume.beta.kubernetes.io/storage-class")
                != null;
    if (!named) {
      DefaultClasses.find(lookup, STORAGE_CLASSES, ANNOTATIONS)
          .ifPresent(name -> claim.child("spec").put("storageClassName", name));
    }
  }
}
