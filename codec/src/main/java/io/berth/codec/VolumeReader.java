package io.berth.codec;

import io.berth.api.CsiNode;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Quantity;
import io.berth.api.StorageClass;
import io.berth.api.Tree;
import io.berth.api.Volume;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads what the volume rules need: volumes of a pod, claims, volumes, classes, CSI nodes.
public final class VolumeReader {

  private VolumeReader() {}

  static List<Volume> volumes(Fields spec, String podName) {
    var volumes = new ArrayList<Volume>();
    for (var volume : spec.objects("volumes", volume -> volume)) {
      var read = volume(volume, podName);
      if (read != null) {
        volumes.add(read);
      }
    }
    return volumes;
  }

  private static @Nullable Volume volume(Fields volume, String podName) {
    if (volume.has("persistentVolumeClaim")) {
      return new Volume.Claim(volume.object("persistentVolumeClaim").text("claimName"), false);
    }
    if (volume.has("ephemeral")) {
      return new Volume.Claim(podName + "-" + volume.text("name"), true);
    }
    if (volume.has("image")) {
      return new Volume.Image(volume.object("image").text("reference"));
    }
    if (volume.has("gcePersistentDisk")) {
      var disk = volume.object("gcePersistentDisk");
      return new Volume.GcePersistentDisk(disk.text("pdName"), disk.flag("readOnly"));
    }
    if (volume.has("awsElasticBlockStore")) {
      return new Volume.AwsElasticBlockStore(
          volume.object("awsElasticBlockStore").text("volumeID"));
    }
    if (volume.has("iscsi")) {
      var disk = volume.object("iscsi");
      return new Volume.Iscsi(disk.text("iqn"), disk.flag("readOnly"));
    }
    if (volume.has("rbd")) {
      var disk = volume.object("rbd");
      return new Volume.Rbd(
          disk.texts("monitors"),
          disk.textOr("pool", "rbd"),
          disk.text("image"),
          disk.flag("readOnly"));
    }
    return volume.has("csi") ? new Volume.Csi(volume.object("csi").text("driver")) : null;
  }

  public static PersistentVolumeClaim readClaim(Tree tree) {
    var claim = Fields.of(tree);
    var meta = claim.object("metadata");
    var spec = claim.object("spec");
    var annotations = meta.map("annotations");
    var request = spec.object("resources").quantities("requests").get("storage");
    return new PersistentVolumeClaim(
        meta.textOr("namespace", "default"),
        meta.text("name"),
        meta.text("uid"),
        storageClassOf(spec, annotations),
        spec.text("volumeName"),
        annotations.containsKey("pv.kubernetes.io/bind-completed"),
        annotations.getOrDefault("volume.kubernetes.io/selected-node", ""),
        claim.object("status").text("phase"),
        meta.has("deletionTimestamp"),
        owningPod(meta),
        spec.texts("accessModes"),
        spec.textOr("volumeMode", "Filesystem"),
        request == null ? Quantity.ZERO : request,
        SelectorReader.labelSelector(spec, "selector"));
  }

  private static @Nullable String storageClassOf(Fields spec, Map<String, String> annotations) {
    var old = annotations.get("volume.beta.kubernetes.io/storage-class");
    return old != null ? old : spec.textOrNull("storageClassName");
  }

  private static @Nullable String owningPod(Fields meta) {
    for (var owner : meta.objects("ownerReferences", owner -> owner)) {
      if (owner.flag("controller") && owner.text("kind").equals("Pod")) {
        return owner.text("uid");
      }
    }
    return null;
  }

  public static PersistentVolume readVolume(Tree tree) {
    var volume = Fields.of(tree);
    var meta = volume.object("metadata");
    var spec = volume.object("spec");
    var capacity = spec.quantities("capacity").get("storage");
    var claim = spec.objectOrNull("claimRef");
    var csi = spec.object("csi");
    return new PersistentVolume(
        meta.text("name"),
        meta.map("labels"),
        spec.text("storageClassName"),
        capacity == null ? Quantity.ZERO : capacity,
        spec.texts("accessModes"),
        spec.textOr("volumeMode", "Filesystem"),
        volume.object("status").text("phase"),
        meta.has("deletionTimestamp"),
        claim == null ? null : claim.text("namespace") + "/" + claim.text("name"),
        claim == null ? "" : claim.text("uid"),
        SelectorReader.nodeSelector(spec.object("nodeAffinity"), "required"),
        csi.text("driver"),
        csi.text("volumeHandle"));
  }

  public static StorageClass readClass(Tree tree) {
    var storageClass = Fields.of(tree);
    return new StorageClass(
        storageClass.object("metadata").text("name"),
        storageClass.text("provisioner"),
        storageClass.text("volumeBindingMode").equals("WaitForFirstConsumer"),
        storageClass.objects("allowedTopologies", VolumeReader::topology));
  }

  private static Map<String, List<String>> topology(Fields topology) {
    var allowed = new HashMap<String, List<String>>();
    for (var clause : topology.objects("matchLabelExpressions", clause -> clause)) {
      allowed.put(clause.text("key"), List.copyOf(clause.texts("values")));
    }
    return Map.copyOf(allowed);
  }

  public static CsiNode readCsiNode(Tree tree) {
    var node = Fields.of(tree);
    var limits = new HashMap<String, Integer>();
    for (var driver : node.object("spec").objects("drivers", driver -> driver)) {
      limits.put(
          driver.text("name"), driver.object("allocatable").integer("count", CsiNode.UNLIMITED));
    }
    return new CsiNode(node.object("metadata").text("name"), limits);
  }
}
