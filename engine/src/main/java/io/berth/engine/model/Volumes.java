package io.berth.engine.model;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.ObjectReference;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.StorageClass;
import io.berth.api.VolumeAttachment;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Claims, volumes, classes and what CSI drivers tell, as the volume rules look them up.
///
/// What a decided pod is about to take is reserved: the volume shows the claim, and the claim the
/// node, until the object itself changes or the reservation is given up.
public final class Volumes {

  private final Map<String, PersistentVolumeClaim> claims;
  private final Map<String, PersistentVolume> volumes;
  private final Map<String, StorageClass> classes;
  private final Map<String, CsiNode> csiNodes;
  private final Map<String, CsiDriver> drivers;
  private final Map<String, CsiStorageCapacity> capacities;
  private final Map<String, PersistentVolumeClaim> reservedClaims = new HashMap<>();
  private final Map<String, PersistentVolume> reservedVolumes = new HashMap<>();
  private final Map<String, Map<String, PersistentVolume>> volumesByClass = new HashMap<>();
  private final Map<String, Map<String, VolumeAttachment>> attachmentsByNode = new HashMap<>();

  Volumes(ObjectTable objects) {
    this.claims = objects.of(PersistentVolumeClaim.KIND, PersistentVolumeClaim.class);
    this.volumes = objects.of(PersistentVolume.KIND, PersistentVolume.class);
    this.classes = objects.of(StorageClass.KIND, StorageClass.class);
    this.csiNodes = objects.of(CsiNode.KIND, CsiNode.class);
    this.drivers = objects.of(CsiDriver.KIND, CsiDriver.class);
    this.capacities = objects.sorted(CsiStorageCapacity.KIND, CsiStorageCapacity.class);
  }

  public @Nullable PersistentVolumeClaim claim(String namespace, String name) {
    var key = namespace + "/" + name;
    var reserved = reservedClaims.get(key);
    return reserved != null ? reserved : claims.get(key);
  }

  public @Nullable PersistentVolume volume(String name) {
    var reserved = reservedVolumes.get(name);
    return reserved != null ? reserved : volumes.get(name);
  }

  /// The volumes of a class, by name.
  public List<PersistentVolume> volumesOf(String storageClass) {
    return volumesByClass.getOrDefault(storageClass, Map.of()).values().stream()
        .map(each -> reservedVolumes.getOrDefault(each.name(), each))
        .toList();
  }

  public @Nullable StorageClass storageClass(String name) {
    return classes.get(name);
  }

  public @Nullable CsiNode csiNode(String node) {
    return csiNodes.get(node);
  }

  public @Nullable CsiDriver driver(String name) {
    return drivers.get(name);
  }

  /// All that is known of storage left, in a fixed order.
  public Collection<CsiStorageCapacity> capacities() {
    return capacities.values();
  }

  public Collection<VolumeAttachment> attachmentsOn(String node) {
    return attachmentsByNode.getOrDefault(node, Map.of()).values();
  }

  /// Counts the volume as promised to the claim.
  public void reserve(PersistentVolume volume, PersistentVolumeClaim claim) {
    reservedVolumes.put(volume.name(), volume.reservedFor(claim));
  }

  /// Counts the claim as one whose volume is being made for the node.
  public void reserve(PersistentVolumeClaim claim, String node) {
    reservedClaims.put(claim.key(), claim.provisionedOn(node));
  }

  public void releaseVolume(String name) {
    reservedVolumes.remove(name);
  }

  public void releaseClaim(String key) {
    reservedClaims.remove(key);
  }

  /// Whether the reference names a claim or volume of which something is reserved.
  public boolean isReserved(ObjectReference reference) {
    return switch (reference.kind()) {
      case PersistentVolumeClaim.KIND -> reservedClaims.containsKey(reference.key());
      case PersistentVolume.KIND -> reservedVolumes.containsKey(reference.key());
      default -> false;
    };
  }

  /// What is reserved now, to go back to.
  public Reserved reserved() {
    return new Reserved(Map.copyOf(reservedClaims), Map.copyOf(reservedVolumes));
  }

  public void restore(Reserved before) {
    reservedClaims.clear();
    reservedClaims.putAll(before.claims);
    reservedVolumes.clear();
    reservedVolumes.putAll(before.volumes);
  }

  /// Reservations of one moment.
  public record Reserved(
      Map<String, PersistentVolumeClaim> claims, Map<String, PersistentVolume> volumes) {}

  /// The claim is another now: what was reserved of it is out of date.
  void changed(PersistentVolumeClaim claim) {
    reservedClaims.remove(claim.key());
  }

  void change(@Nullable PersistentVolume before, @Nullable PersistentVolume after) {
    if (before != null) {
      reservedVolumes.remove(before.name());
      removeFrom(volumesByClass, before.storageClassName(), before.name());
    }
    if (after != null) {
      addTo(volumesByClass, after.storageClassName(), after.name(), after);
    }
  }

  void change(@Nullable VolumeAttachment before, @Nullable VolumeAttachment after) {
    if (before != null) {
      removeFrom(attachmentsByNode, before.nodeName(), before.name());
    }
    if (after != null) {
      addTo(attachmentsByNode, after.nodeName(), after.name(), after);
    }
  }

  private static <V> void addTo(
      Map<String, Map<String, V>> index, String key, String name, V value) {
    index.computeIfAbsent(key, _ -> new TreeMap<>()).put(name, value);
  }

  private static <V> void removeFrom(Map<String, Map<String, V>> index, String key, String name) {
    var entries = index.get(key);
    if (entries != null && entries.remove(name) != null && entries.isEmpty()) {
      index.remove(key);
    }
  }
}
