package io.berth.conformance;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Tree;
import io.berth.codec.ClusterKind;
import java.util.Map;
import java.util.TreeMap;

/// The objects of a case that are no nodes and no pods, by the names it gives them.
final class ClusterObjects {

  /// The kinds, and the names of the lists a case holds them in.
  static final Map<String, String> LISTS = new TreeMap<>();

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

  private ClusterObjects() {}

  /// An object out of one of the [#LISTS], where it need not say its kind.
  static ClusterObject read(String list, Tree object) {
    return LISTS.entrySet().stream()
        .filter(entry -> entry.getValue().equals(list))
        .map(entry -> kind(entry.getKey()).read(object))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(list));
  }

  static ClusterObject read(Tree object) {
    return kind(object.textOrEmpty("kind")).read(object);
  }

  /// `object` is `Kind/name` or `Kind/namespace/name`.
  static ObjectReference reference(String object) {
    var parts = object.split("/", 3);
    return parts.length == 2
        ? new ObjectReference(parts[0], "", parts[1])
        : new ObjectReference(parts[0], parts[1], parts[2]);
  }

  static boolean isNamespaced(String kind) {
    return kind(kind).resource().namespaced();
  }

  private static ClusterKind kind(String name) {
    return ClusterKind.find(name).orElseThrow(() -> new IllegalStateException(name));
  }
}
