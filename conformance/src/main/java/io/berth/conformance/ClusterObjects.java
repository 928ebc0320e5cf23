package io.berth.conformance;

import io.berth.api.Tree;
import io.berth.codec.ObjectReader;
import io.berth.codec.VolumeReader;
import io.berth.engine.Engine;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// All objects but nodes and pods, handed to an engine by the names a case gives them.
final class ClusterObjects {

  /// The kinds, and the names of the lists a case holds them in.
  static final Map<String, String> LISTS = new TreeMap<>();

  static final Set<String> NAMESPACED =
      Set.of(
          "PersistentVolumeClaim",
          "CSIStorageCapacity",
          "PodDisruptionBudget",
          "Service",
          "ReplicationController",
          "ReplicaSet",
          "StatefulSet");

  static {
    LISTS.put("Namespace", "namespaces");
    LISTS.put("PodDisruptionBudget", "pdbs");
    LISTS.put("Service", "services");
    LISTS.put("ReplicationController", "replicationControllers");
    LISTS.put("ReplicaSet", "replicaSets");
    LISTS.put("StatefulSet", "statefulSets");
    LISTS.put("StorageClass", "storageClasses");
    LISTS.put("PersistentVolume", "persistentVolumes");
    LISTS.put("PersistentVolumeClaim", "persistentVolumeClaims");
    LISTS.put("CSINode", "csiNodes");
    LISTS.put("CSIDriver", "csiDrivers");
    LISTS.put("CSIStorageCapacity", "csiStorageCapacities");
    LISTS.put("VolumeAttachment", "volumeAttachments");
  }

  private final Engine engine;

  ClusterObjects(Engine engine) {
    this.engine = engine;
  }

  /// `list` is the name of the list a case holds such objects in.
  void put(String list, Tree object) {
    switch (list) {
      case "namespaces" -> engine.putNamespace(ObjectReader.readNamespace(object));
      case "pdbs" -> engine.putBudget(ObjectReader.readBudget(object));
      case "services" -> engine.putOwner(ObjectReader.readMapOwner("Service", object));
      case "replicationControllers" ->
          engine.putOwner(ObjectReader.readMapOwner("ReplicationController", object));
      case "replicaSets" -> engine.putOwner(ObjectReader.readSelectorOwner("ReplicaSet", object));
      case "statefulSets" -> engine.putOwner(ObjectReader.readSelectorOwner("StatefulSet", object));
      case "storageClasses" -> engine.putStorageClass(VolumeReader.readClass(object));
      case "persistentVolumes" -> engine.putVolume(VolumeReader.readVolume(object));
      case "persistentVolumeClaims" -> engine.putClaim(VolumeReader.readClaim(object));
      case "csiNodes" -> engine.putCsiNode(VolumeReader.readCsiNode(object));
      case "csiDrivers" -> engine.putCsiDriver(VolumeReader.readCsiDriver(object));
      case "csiStorageCapacities" -> engine.putStorageCapacity(VolumeReader.readCapacity(object));
      case "volumeAttachments" -> engine.putAttachment(VolumeReader.readAttachment(object));
      default -> throw new IllegalStateException(list);
    }
  }

  void put(Tree object) {
    put(listOf(object.textOrEmpty("kind")), object);
  }

  private static String listOf(String kind) {
    var list = LISTS.get(kind);
    if (list == null) {
      throw new IllegalStateException(kind);
    }
    return list;
  }

  /// `object` is `Kind/name` or `Kind/namespace/name`.
  void remove(String object) {
    var parts = object.split("/", 3);
    var name = parts[parts.length - 1];
    switch (listOf(parts[0])) {
      case "namespaces" -> engine.removeNamespace(name);
      case "pdbs" -> engine.removeBudget(parts[1], name);
      case "services", "replicationControllers", "replicaSets", "statefulSets" ->
          engine.removeOwner(parts[0], parts[1], name);
      case "storageClasses" -> engine.removeStorageClass(name);
      case "persistentVolumes" -> engine.removeVolume(name);
      case "persistentVolumeClaims" -> engine.removeClaim(parts[1], name);
      case "csiNodes" -> engine.removeCsiNode(name);
      case "csiDrivers" -> engine.removeCsiDriver(name);
      case "csiStorageCapacities" -> engine.removeStorageCapacity(parts[1], name);
      default -> engine.removeAttachment(name);
    }
  }
}
