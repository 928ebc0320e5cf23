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
}
