package io.berth.codec;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolume.Source;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Quantity;
import io.berth.api.StorageClass;
import io.berth.api.Tree;
import io.berth.api.Volume;
import io.berth.api.VolumeAttachment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads what the volume rules need: volumes of a pod, claims, volumes, classes, and what CSI
/// drivers say about themselves.
public final class VolumeReader {

  private static final String OLD_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";

  /// Volumes of plugins that a CSI driver has taken over: field, plugin, and where the id stands.
  private enum InTree {
    AWS_EBS("awsElasticBlockStore", "kubernetes.io/aws-ebs", "volumeID"),
    GCE_PD("gcePersistentDisk", "kubernetes.io/gce-pd", "pdName"),
    AZURE_DISK("azureDisk", "kubernetes.io/azure-disk", "diskURI"),
    CINDER("cinder", "kubernetes.io/cinder", "volumeID"),
    PORTWORX("portworxVolume", "kubernetes.io/portworx-volume", "volumeID");

    private final String field;
    private final String plugin;
    private final String id;

    InTree(String field, String plugin, String id) {
      this.field = field;
      this.plugin = plugin;
      this.id = id;
    }
  }

  private VolumeReader() {}

  static List<Volume> volumes(Fields spec, Volume.Claim.Owner pod) {
    var volumes = new ArrayList<Volume>();
    for (var volume : spec.objects("volumes", volume -> volume)) {
      var read = volume(volume, pod);
      if (read != null) {
        volumes.add(read);
      }
    }
    return volumes;
  }

  private static @Nullable Volume volume(Fields volume, Volume.Claim.Owner pod) {
    if (volume.has("persistentVolumeClaim")) {
      return new Volume.Claim(volume.object("persistentVolumeClaim").text("claimName"), null);
    }
    if (volume.has("ephemeral")) {
      return new Volume.Claim(pod.podName() + "-" + volume.text("name"), pod);
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
    for (var inTree : InTree.values()) {
      if (volume.has(inTree.field)) {
        return new Volume.InTree(inTree.plugin, volume.object(inTree.field).text(inTree.id));
      }
    }
    return volume.has("csi") ? new Volume.Csi(volume.object("csi").text("driver")) : null;
  }

  public static PersistentVolumeClaim readClaim(Tree tree) {
    var claim = Fields.of(tree);
    var meta = claim.object("metadata");
    var spec = claim.object("spec");
    var annotations = meta.map("annotations");
    return new PersistentVolumeClaim(
        meta.textOr("namespace", "default"),
        meta.text("name"),
        meta.text("uid"),
        storageClassOf(spec, annotations),
        spec.text("volumeName"),
        annotations.containsKey("pv.kubernetes.io/bind-completed"),
        annotations.get("volume.kubernetes.io/selected-node"),
        claim.object("status").text("phase"),
        meta.has("deletionTimestamp"),
        controllerUid(meta),
        spec.texts("accessModes"),
        spec.textOr("volumeMode", "Filesystem"),
        spec.text("volumeAttributesClassName"),
        spec.object("resources").quantities("requests").get("storage"),
        SelectorReader.labelSelector(spec, "selector"));
  }

  private static String storageClassOf(Fields spec, Map<String, String> annotations) {
    return annotations.getOrDefault(OLD_STORAGE_CLASS, spec.text("storageClassName"));
  }

  private static @Nullable String controllerUid(Fields meta) {
    for (var owner : meta.objects("ownerReferences", owner -> owner)) {
      if (owner.flag("controller")) {
        return owner.text("uid");
      }
    }
    return null;
  }

  public static PersistentVolume readVolume(Tree tree) {
    var volume = Fields.of(tree);
    var meta = volume.object("metadata");
    var spec = volume.object("spec");
    var claim = spec.objectOrNull("claimRef");
    return new PersistentVolume(
        meta.text("name"),
        meta.map("labels"),
        storageClassOf(spec, meta.map("annotations")),
        spec.quantities("capacity").getOrDefault("storage", Quantity.ZERO),
        spec.texts("accessModes"),
        spec.textOr("volumeMode", "Filesystem"),
        spec.text("volumeAttributesClassName"),
        volume.object("status").text("phase"),
        meta.has("deletionTimestamp"),
        claim == null ? null : claim.text("namespace") + "/" + claim.text("name"),
        claim == null ? "" : claim.text("uid"),
        SelectorReader.nodeSelector(spec.object("nodeAffinity"), "required"),
        source(spec));
  }

  private static Source source(Fields spec) {
    if (spec.has("csi")) {
      var csi = spec.object("csi");
      return new Source.Csi(csi.text("driver"), csi.text("volumeHandle"));
    }
    for (var inTree : InTree.values()) {
      if (spec.has(inTree.field)) {
        var disk = spec.object(inTree.field);
        return new Source.InTree(inTree.plugin, disk.text(inTree.id), disk.text("kind"));
      }
    }
    return new Source.Other();
  }

  public static StorageClass readClass(Tree tree) {
    var storageClass = Fields.of(tree);
    return new StorageClass(
        storageClass.object("metadata").text("name"),
        storageClass.text("provisioner"),
        storageClass.text("volumeBindingMode"),
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
    var meta = node.object("metadata");
    var limits = new HashMap<String, Integer>();
    for (var driver : node.object("spec").objects("drivers", driver -> driver)) {
      limits.put(
          driver.text("name"), driver.object("allocatable").integer("count", CsiNode.UNLIMITED));
    }
    return new CsiNode(meta.text("name"), limits, migratedPlugins(meta.map("annotations")));
  }

  private static Set<String> migratedPlugins(Map<String, String> annotations) {
    var names = annotations.getOrDefault("storage.alpha.kubernetes.io/migrated-plugins", "");
    return new HashSet<>(List.of(names.split(",", -1)));
  }

  public static CsiDriver readCsiDriver(Tree tree) {
    var driver = Fields.of(tree);
    var spec = driver.object("spec");
    return new CsiDriver(
        driver.object("metadata").text("name"),
        spec.flag("storageCapacity"),
        spec.flag("preventPodSchedulingIfMissing"));
  }

  public static CsiStorageCapacity readCapacity(Tree tree) {
    var capacity = Fields.of(tree);
    var meta = capacity.object("metadata");
    return new CsiStorageCapacity(
        meta.textOr("namespace", "default"),
        meta.text("name"),
        capacity.text("storageClassName"),
        capacity.quantityOrNull("capacity"),
        capacity.quantityOrNull("maximumVolumeSize"),
        SelectorReader.labelSelector(capacity, "nodeTopology"));
  }

  public static VolumeAttachment readAttachment(Tree tree) {
    var attachment = Fields.of(tree);
    var spec = attachment.object("spec");
    return new VolumeAttachment(
        attachment.object("metadata").text("name"),
        spec.text("attacher"),
        spec.text("nodeName"),
        spec.object("source").textOrNull("persistentVolumeName"));
  }
}
