package io.berth.engine.rule.volume;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.StorageClass;
import io.berth.api.Volume;
import io.berth.engine.ClusterEvent;
import io.berth.engine.model.Volumes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Which event about volumes, or pods that hold them, can help a pod that a volume rule rejected.
///
/// A little stricter than Kubernetes: a volume or class that no claim of the pod can have anything
/// to do with wakes nobody.
final class VolumeHints {

  private static final List<String> ZONES =
      List.of(
          "topology.kubernetes.io/zone",
          "topology.kubernetes.io/region",
          "failure-domain.beta.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region");

  private final Pod pod;
  private final Volumes volumes;

  VolumeHints(Pod pod, Volumes volumes) {
    this.pod = pod;
    this.volumes = volumes;
  }

  boolean binding(ClusterEvent event) {
    return switch (event.object()) {
      case PersistentVolumeClaim claim -> usesClaim(claim);
      case PersistentVolume volume -> mayUse(volume);
      case StorageClass storageClass -> usesClass(storageClass.name());
      case CsiNode node ->
          !(event.before() instanceof CsiNode before)
              || !before.migratedPlugins().equals(node.migratedPlugins());
      case CsiDriver driver ->
          event.before() instanceof CsiDriver before
              && before.storageCapacity()
              && !driver.storageCapacity();
      case CsiStorageCapacity capacity ->
          usesClass(capacity.storageClassName())
              && (!(event.before() instanceof CsiStorageCapacity before)
                  || limit(capacity) > limit(before));
      default -> true;
    };
  }

  boolean zone(ClusterEvent event) {
    return switch (event.object()) {
      case PersistentVolumeClaim claim -> usesClaim(claim);
      case PersistentVolume volume ->
          mayUse(volume)
              && (!(event.before() instanceof PersistentVolume before)
                  || !zones(before).equals(zones(volume)));
      case StorageClass storageClass ->
          storageClass.waitsForConsumer() && usesClass(storageClass.name());
      default -> true;
    };
  }

  boolean limits(ClusterEvent event) {
    return switch (event.object()) {
      case PersistentVolumeClaim claim -> usesClaim(claim);
      case CsiNode node -> !(event.before() instanceof CsiNode before) || offersMore(before, node);
      case Pod deleted -> !deleted.spec().volumes().isEmpty();
      case CsiDriver driver ->
          event.before() instanceof CsiDriver before
              && before.preventPodSchedulingIfMissing()
              && !driver.preventPodSchedulingIfMissing();
      default -> true;
    };
  }

  boolean restrictions(ClusterEvent event) {
    return switch (event.object()) {
      case PersistentVolumeClaim claim -> usesClaim(claim);
      case Pod deleted ->
          deleted.namespace().equals(pod.namespace())
              && deleted.spec().volumes().stream()
                  .anyMatch(
                      held -> pod.spec().volumes().stream().anyMatch(wanted -> same(held, wanted)));
      default -> true;
    };
  }

  private boolean usesClaim(PersistentVolumeClaim claim) {
    return claim.namespace().equals(pod.namespace()) && claimNames().contains(claim.name());
  }

  /// Whether a claim of the pod is of the class.
  private boolean usesClass(String storageClass) {
    return claims().stream().anyMatch(claim -> storageClass.equals(claim.storageClassName()));
  }

  /// Whether a claim of the pod is bound to the volume, or may be.
  private boolean mayUse(PersistentVolume volume) {
    return claims().stream()
        .anyMatch(claim ->
            claim.volumeName().isEmpty()
                ? volume.storageClassName().equals(claim.storageClassName())
                : claim.volumeName().equals(volume.name()));
  }

  private List<PersistentVolumeClaim> claims() {
    var claims = new ArrayList<PersistentVolumeClaim>();
    for (var name : claimNames()) {
      var claim = volumes.claim(pod.namespace(), name);
      if (claim != null) {
        claims.add(claim);
      }
    }
    return claims;
  }

  private List<String> claimNames() {
    var names = new ArrayList<String>();
    for (var volume : pod.spec().volumes()) {
      if (volume instanceof Volume.Claim claim) {
        names.add(claim.claimName());
      }
    }
    return names;
  }

  private static long limit(CsiStorageCapacity capacity) {
    var limit =
        capacity.maximumVolumeSize() == null ? capacity.capacity() : capacity.maximumVolumeSize();
    return limit == null ? -1 : limit.value();
  }

  private static boolean offersMore(CsiNode before, CsiNode after) {
    return after.limits().entrySet().stream()
        .anyMatch(limit -> limit.getValue() > before.limits().getOrDefault(limit.getKey(), -1));
  }

  private static Map<String, String> zones(PersistentVolume volume) {
    var zones = new java.util.TreeMap<String, String>();
    ZONES.forEach(key -> zones.put(key, Objects.toString(volume.labels().get(key), "")));
    return zones;
  }

  /// Whether two volumes of pods are the same disk or the same claim.
  private static boolean same(Volume held, Volume wanted) {
    return switch (held) {
      case Volume.Claim claim ->
          wanted instanceof Volume.Claim other && other.claimName().equals(claim.claimName());
      case Volume.GcePersistentDisk disk ->
          wanted instanceof Volume.GcePersistentDisk other && other.pdName().equals(disk.pdName());
      case Volume.AwsElasticBlockStore disk -> disk.equals(wanted);
      case Volume.Iscsi disk ->
          wanted instanceof Volume.Iscsi other && other.iqn().equals(disk.iqn());
      case Volume.Rbd disk ->
          wanted instanceof Volume.Rbd other
              && other.image().equals(disk.image())
              && other.pool().equals(disk.pool())
              && Set.copyOf(other.monitors()).stream().anyMatch(disk.monitors()::contains);
      default -> false;
    };
  }
}
