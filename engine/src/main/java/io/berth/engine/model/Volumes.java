package io.berth.engine.model;

import io.berth.api.CsiNode;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.StorageClass;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Claims, volumes, classes and CSI nodes, as the volume rules look them up.
public final class Volumes {

  private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
  private final Map<String, PersistentVolume> volumes = new TreeMap<>();
  private final Map<String, StorageClass> classes = new HashMap<>();
  private final Map<String, CsiNode> csiNodes = new HashMap<>();
  private int changes;

  public @Nullable PersistentVolumeClaim claim(String namespace, String name) {
    return claims.get(namespace + "/" + name);
  }

  public @Nullable PersistentVolume volume(String name) {
    return volumes.get(name);
  }

  /// All volumes, by name.
  public Collection<PersistentVolume> volumes() {
    return volumes.values();
  }

  public @Nullable StorageClass storageClass(String name) {
    return classes.get(name);
  }

  public @Nullable CsiNode csiNode(String node) {
    return csiNodes.get(node);
  }

  /// Grows whenever anything here changes.
  public int changes() {
    return changes;
  }

  void put(PersistentVolumeClaim claim) {
    claims.put(claim.key(), claim);
    changes++;
  }

  void removeClaim(String namespace, String name) {
    claims.remove(namespace + "/" + name);
    changes++;
  }

  void put(PersistentVolume volume) {
    volumes.put(volume.name(), volume);
    changes++;
  }

  void removeVolume(String name) {
    volumes.remove(name);
    changes++;
  }

  void put(StorageClass storageClass) {
    classes.put(storageClass.name(), storageClass);
    changes++;
  }

  void removeClass(String name) {
    classes.remove(name);
    changes++;
  }

  void put(CsiNode node) {
    csiNodes.put(node.name(), node);
    changes++;
  }

  void removeCsiNode(String name) {
    csiNodes.remove(name);
    changes++;
  }
}
