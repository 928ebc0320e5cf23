package io.berth.scheduler;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.StorageClass;
import io.berth.api.VolumeAttachment;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.Engine;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps the engine in step with claims, volumes and what serves them, and wakes whom that helps:
/// the part of [World] about storage. Owned by the loop's thread.
final class VolumeIntake {

  private final Engine engine;
  private final Storage storage;
  private final ClaimBindings bindings;
  private final Consumer<ClusterEvent> wake;

  VolumeIntake(
      Engine engine, Storage storage, ClaimBindings bindings, Consumer<ClusterEvent> wake) {
    this.engine = engine;
    this.storage = storage;
    this.bindings = bindings;
    this.wake = wake;
  }

  void putClaim(PersistentVolumeClaim claim) {
    engine.putClaim(claim);
    bindings.seen(claim);
    wake(
        storage.claims().put(claim.key(), claim),
        claim,
        Kind.PERSISTENT_VOLUME_CLAIM_ADD,
        Kind.PERSISTENT_VOLUME_CLAIM_UPDATE);
  }

  void removeClaim(String namespace, String name) {
    engine.removeClaim(namespace, name);
    storage.claims().remove(namespace + "/" + name);
    bindings.gone(namespace + "/" + name);
  }

  void putVolume(PersistentVolume volume) {
    engine.putVolume(volume);
    wake(
        storage.volumes().put(volume.name(), volume),
        volume,
        Kind.PERSISTENT_VOLUME_ADD,
        Kind.PERSISTENT_VOLUME_UPDATE);
  }

  void removeVolume(String name) {
    engine.removeVolume(name);
    storage.volumes().remove(name);
  }

  void putStorageClass(StorageClass storageClass) {
    engine.putStorageClass(storageClass);
    wake(
        storage.classes().put(storageClass.name(), storageClass),
        storageClass,
        Kind.STORAGE_CLASS_ADD,
        Kind.STORAGE_CLASS_UPDATE);
  }

  void removeStorageClass(String name) {
    engine.removeStorageClass(name);
    storage.classes().remove(name);
  }

  void putCsiDriver(CsiDriver driver) {
    engine.putCsiDriver(driver);
    wake(
        storage.drivers().put(driver.name(), driver),
        driver,
        Kind.CSI_DRIVER_ADD,
        Kind.CSI_DRIVER_UPDATE);
  }

  void removeCsiDriver(String name) {
    engine.removeCsiDriver(name);
    storage.drivers().remove(name);
  }

  void putStorageCapacity(CsiStorageCapacity capacity) {
    engine.putStorageCapacity(capacity);
    wake(
        storage.capacities().put(capacity.key(), capacity),
        capacity,
        Kind.CSI_STORAGE_CAPACITY_ADD,
        Kind.CSI_STORAGE_CAPACITY_UPDATE);
  }

  void removeStorageCapacity(String namespace, String name) {
    engine.removeStorageCapacity(namespace, name);
    storage.capacities().remove(namespace + "/" + name);
  }

  void putAttachment(VolumeAttachment attachment) {
    engine.putAttachment(attachment);
    storage.attachments().put(attachment.name(), attachment);
  }

  void removeAttachment(String name) {
    engine.removeAttachment(name);
    var before = storage.attachments().remove(name);
    if (before != null) {
      wake.accept(ClusterEvent.gone(Kind.VOLUME_ATTACHMENT_DELETE, before));
    }
  }

  void putCsiNode(CsiNode node) {
    engine.putCsiNode(node);
    wake(storage.csiNodes().put(node.name(), node), node, Kind.CSI_NODE_ADD, Kind.CSI_NODE_UPDATE);
  }

  void removeCsiNode(String name) {
    engine.removeCsiNode(name);
    storage.csiNodes().remove(name);
  }

  // An update that changes nothing scheduling reads is no event.
  private void wake(@Nullable Object before, Object after, Kind added, Kind changed) {
    if (before == null) {
      wake.accept(ClusterEvent.added(added, after));
    } else if (!before.equals(after)) {
      wake.accept(ClusterEvent.changed(changed, before, after));
    }
  }
}
