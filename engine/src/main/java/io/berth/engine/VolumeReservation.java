package io.berth.engine;

import io.berth.engine.model.ClusterModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the claims of a pod get on its node: for those in `volumes` an existing volume, by name,
/// and for those in `provisioned` one that is made for the node. Claims are `namespace/name`.
///
/// A scheduler carries it out before it binds the pod: it writes the claim into the volume, and the
/// node onto the claim.
public record VolumeReservation(Map<String, String> volumes, List<String> provisioned) {

  /// What a pod without claims that wait gets.
  public static final VolumeReservation NONE = new VolumeReservation(Map.of(), List.of());

  public VolumeReservation {
    volumes = Map.copyOf(volumes);
    provisioned = List.copyOf(provisioned);
  }

  public boolean isEmpty() {
    return volumes.isEmpty() && provisioned.isEmpty();
  }

  /// Both together.
  public VolumeReservation and(VolumeReservation other) {
    var bothVolumes = new HashMap<>(volumes);
    bothVolumes.putAll(other.volumes);
    var bothProvisioned = new ArrayList<>(provisioned);
    bothProvisioned.addAll(other.provisioned);
    return new VolumeReservation(bothVolumes, bothProvisioned);
  }

  void release(ClusterModel cluster) {
    volumes.values().forEach(cluster.volumes()::releaseVolume);
    provisioned.forEach(cluster.volumes()::releaseClaim);
  }
}
