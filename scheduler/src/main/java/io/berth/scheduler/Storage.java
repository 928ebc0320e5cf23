package io.berth.scheduler;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.StorageClass;
import io.berth.api.Volume;
import io.berth.api.VolumeAttachment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Claims and capacities by `namespace/name`, and the rest by name, as they were last seen. Owned
/// by the loop's thread.
record Storage(
    Map<String, PersistentVolumeClaim> claims,
    Map<String, PersistentVolume> volumes,
    Map<String, StorageClass> classes,
    Map<String, CsiNode> csiNodes,
    Map<String, CsiDriver> drivers,
    Map<String, CsiStorageCapacity> capacities,
    Map<String, VolumeAttachment> attachments) {

  Storage() {
    this(
        new HashMap<>(),
        new HashMap<>(),
        new HashMap<>(),
        new HashMap<>(),
        new HashMap<>(),
        new HashMap<>(),
        new HashMap<>());
  }

  /// Names of the claims the pod uses, in its own namespace.
  static List<String> claimNames(Pod pod) {
    return pod.spec().volumes().stream()
        .filter(Volume.Claim.class::isInstance)
        .map(volume -> ((Volume.Claim) volume).claimName())
        .toList();
  }

  boolean usesClaim(Pod pod, PersistentVolumeClaim claim) {
    return claim.namespace().equals(pod.namespace()) && claimNames(pod).contains(claim.name());
  }

  /// Whether a claim of the pod is of the class.
  boolean usesClass(Pod pod, String storageClass) {
    return claimsOf(pod).stream().anyMatch(claim -> storageClass.equals(claim.storageClassName()));
  }

  /// Whether a claim of the pod is bound to the volume, or may be.
  boolean mayUse(Pod pod, PersistentVolume volume) {
    return claimsOf(pod).stream()
        .anyMatch(claim ->
            claim.volumeName().isEmpty()
                ? volume.storageClassName().equals(Objects.toString(claim.storageClassName(), ""))
                : claim.volumeName().equals(volume.name()));
  }

  private List<PersistentVolumeClaim> claimsOf(Pod pod) {
    return claimNames(pod).stream()
        .map(name -> claims.get(pod.namespace() + "/" + name))
        .filter(Objects::nonNull)
        .toList();
  }
}
