package io.berth.controllers.core;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;

/// Who makes volumes for claims that no volume fits.
public interface Provisioner {

  String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  String PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

  /// The claim wants a volume of this class now. Called again until it has one.
  void provision(Tree claim, Tree storageClass);

  /// The claim of this volume is gone, and the volume is to go as well.
  void reclaim(Tree volume);

  /// As provisioners of Kubernetes name what they make: once for each claim.
  static String volumeName(Tree claim) {
    return "pvc-" + Meta.uid(claim);
  }

  /// What a volume for the claim gives, but for where it lies.
  static Tree specFor(Tree claim, Tree storageClass) {
    var policy = storageClass.textOrEmpty("reclaimPolicy");
    var spec =
        Tree.of("capacity", Tree.of("storage", VolumeFit.request(claim).toString()))
            .put("accessModes", Tree.copyOf(claim.list("spec", "accessModes")))
            .put("volumeMode", VolumeFit.mode(claim))
            .put("storageClassName", Meta.name(storageClass))
            .put("persistentVolumeReclaimPolicy", policy.isEmpty() ? "Delete" : policy)
            .put("claimRef", PersistentVolumes.reference(claim));
    if (!VolumeFit.attributesClass(claim).isEmpty()) {
      spec.put("volumeAttributesClassName", VolumeFit.attributesClass(claim));
    }
    return spec;
  }
}
