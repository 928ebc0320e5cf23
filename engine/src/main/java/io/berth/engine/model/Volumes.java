package io.berth.engine.model;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
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

  private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
  private final Map<String, PersistentVolumeClaim> reservedClaims = new HashMap<>();
  private final Map<String, PersistentVolume> volumes = new HashMap<>();
  private final Map<String, PersistentVolume> reservedVolumes = new HashMap<>();
  private final Map<String, Map<String, PersistentVolume>> volumesByClass = new HashMap<>();
  private final Map<String, StorageClass> classes = new HashMap<>();
  private final Map<String, CsiNode> csiNodes = new HashMap<>();
  private final Map<String, CsiDriver> drivers = new HashMap<>();
  private final Map<String, CsiStorageCapacity> capacities = new TreeMap<>();
  private final Map<String, VolumeAttachment> attachments = new HashMap<>();
  private final Map<String, Map<String, VolumeAttachment>> attachmentsByNode = new HashMap<>();

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

  // An object that comes again as it was says nothing new about a reservation.
  void put(PersistentVolumeClaim claim) {
    if (!claim.equals(claims.put(claim.key(), claim))) {
      reservedClaims.remove(claim.key());
    }
  }

  void removeClaim(String namespace, String name) {
    claims.remove(namespace + "/" + name);
    reservedClaims.remove(namespace + "/" + name);
  }

  void put(PersistentVolume volume) {
    var before = volumes.put(volume.name(), volume);
    if (!volume.equals(before)) {
      reservedVolumes.remove(volume.name());
    }
    if (before != null) {
      removeFrom(volumesByClass, before.storageClassName(), before.name());
    }
    volumesByClass
        .computeIfAbsent(volume.storageClassName(), _ -> new TreeMap<>())
        .put(volume.name(), volume);
  }

  void removeVolume(String name) {
    var before = volumes.remove(name);
    if (before != null) {
      removeFrom(volumesByClass, before.storageClassName(), name);
      reservedVolumes.remove(name);
    }
  }

  void put(StorageClass storageClass) {
    classes.put(storageClass.name(), storageClass);
  }

  void removeClass(String name) {
    classes.remove(name);
  }

  void put(CsiNode node) {
    csiNodes.put(node.name(), node);
  }

  void removeCsiNode(String name) {
    csiNodes.remove(name);
  }

  void put(CsiDriver driver) {
    drivers.put(driver.name(), driver);
  }

  void removeDriver(String name) {
    drivers.remove(name);
  }

  void put(CsiStorageCapacity capacity) {
    capacities.put(capacity.key(), capacity);
  }

  void removeCapacity(String namespace, String name) {
    capacities.remove(namespace + "/" + name);
  }

  void put(VolumeAttachment attachment) {
    removeAttachment(attachment.name());
    attachments.put(attachment.name(), attachment);
    attachmentsByNode
        .computeIfAbsent(attachment.nodeName(), _ -> new TreeMap<>())
        .put(attachment.name(), attachment);
  }

  void removeAttachment(String name) {
    var before = attachments.remove(name);
    if (before != null) {
      removeFrom(attachmentsByNode, before.nodeName(), name);
    }
  }

  private static <V> void removeFrom(Map<String, Map<String, V>> index, String key, String name) {
    var entries = index.get(key);
    if (entries != null && entries.remove(name) != null && entries.isEmpty()) {
      index.remove(key);
    }
  }
}
