package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.JsonDiff;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Persistent volumes.
public final class PersistentVolumeStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");

  static final List<String> SOURCES =
      List.of(
          "hostPath",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "glusterfs",
          "flocker",
          "nfs",
          "rbd",
          "quobyte",
          "cephfs",
          "iscsi",
          "cinder",
          "fc",
          "flexVolume",
          "azureFile",
          "vsphereVolume",
          "photonPersistentDisk",
          "portworxVolume",
          "azureDisk",
          "scaleIO",
          "local",
          "storageos",
          "csi");

  public PersistentVolumeStrategy() {
    super(Resource.PERSISTENT_VOLUMES);
  }

  @Override
  public void setDefaults(Tree volume) {
    var spec = volume.child("spec");
    PodSpecDefaults.text(volume.child("status"), "phase", "Pending");
    PodSpecDefaults.text(spec, "persistentVolumeReclaimPolicy", "Retain");
    spec.putIfAbsent("volumeMode", "Filesystem");
    ResourceList.roundUp(spec.tree("capacity"));
    VolumeDefaults.source(spec);
  }

  @Override
  public void prepareForCreate(Tree volume, Write write) {
    volume.put("status", Tree.of("phase", "Pending", "lastPhaseTransitionTime", time(write)));
  }

  private static String time(Write write) {
    return write.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  @Override
  public void validateCreate(Tree volume, FieldErrors errors) {
    super.validateCreate(volume, errors);
    spec(volume.treeOrEmpty("spec"), volume.textOrEmpty("metadata", "name"), false, errors);
  }

  private static void spec(Tree spec, String name, boolean oldValues, FieldErrors errors) {
    var modes = spec.list("accessModes").stream().map(String::valueOf).toList();
    if (modes.isEmpty()) {
      errors.required(SPEC.child("accessModes"));
    }
    PersistentVolumeClaimValidation.accessModes(modes, SPEC.child("accessModes"), errors);
    capacity(spec, errors);
    var policy = spec.textOrEmpty("persistentVolumeReclaimPolicy");
    if (!policy.isEmpty()) {
      Checks.supported(
          SPEC.child("persistentVolumeReclaimPolicy"),
          policy,
          List.of("Delete", "Recycle", "Retain"),
          errors);
    }
    affinity(spec, oldValues, errors);
    source(spec, name, errors);
    if (spec.textOrEmpty("hostPath", "path").equals("/") && policy.equals("Recycle")) {
      errors.forbidden(
          SPEC.child("persistentVolumeReclaimPolicy"),
          "may not be 'recycle' for a hostPath mount of '/'");
    }
    var storageClass = spec.textOrEmpty("storageClassName");
    if (!storageClass.isEmpty()) {
      Checks.dnsSubdomain(SPEC.child("storageClassName"), storageClass, errors);
    }
    if (spec.get("volumeMode") instanceof String mode) {
      Checks.supported(
          SPEC.child("volumeMode"), mode, PersistentVolumeClaimValidation.VOLUME_MODES, errors);
    }
    attributesClass(spec, errors);
  }

  private static void capacity(Tree spec, FieldErrors errors) {
    var path = SPEC.child("capacity");
    var capacity = ResourceList.read(spec.tree("capacity"));
    if (capacity.isEmpty()) {
      errors.required(path);
    }
    if (!capacity.containsKey("storage") || capacity.size() > 1) {
      var shown = spec.tree("capacity");
      errors.notSupported(path, shown == null ? null : shown.texts(), List.of("storage"));
    }
    capacity.forEach((name, amount) -> {
      if (amount.value() < 0) {
        errors.invalid(path.key(name), amount.value(), "must be a valid resource quantity");
      }
      Checks.positive(path.key(name), amount, errors);
    });
  }

  private static void affinity(Tree spec, boolean oldValues, FieldErrors errors) {
    if (spec.get("nodeAffinity") instanceof Tree affinity) {
      var path = SPEC.child("nodeAffinity", "required");
      if (affinity.get("required") instanceof Tree required) {
        AffinityValidation.validateNodeSelector(required, oldValues, path, errors);
      } else {
        errors.required(path, "must specify required node constraints");
      }
    }
  }

  private static void source(Tree spec, String volume, FieldErrors errors) {
    boolean found = false;
    var sources = VolumeSources.ofPersistentVolume(errors);
    for (var kind : SOURCES) {
      if (spec.get(kind) instanceof Tree source) {
        // As in Kubernetes, a flex volume is looked at also when there is another source.
        if (found && !kind.equals("flexVolume")) {
          var name = kind.equals("cephfs") ? "cephFS" : kind;
          errors.forbidden(SPEC.child(name), "may not specify more than 1 volume type");
          continue;
        }
        found = true;
        switch (kind) {
          case "local" -> local(spec, source, errors);
          case "csi" -> csi(source, sources, errors);
          default -> sources.validate(kind, source, SPEC);
        }
        if (kind.equals("iscsi")
            && source.has("initiatorName")
            && Names.bytes(volume + ":" + source.textOrEmpty("targetPortal")) > 64) {
          errors.invalid(
              FieldPath.of("metadata.name"),
              volume,
              "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
                  + " iscsi.initiatorName is specified.");
        }
      }
    }
    if (!found) {
      errors.required(SPEC, "must specify a volume type");
    }
  }

  private static void local(Tree spec, Tree source, FieldErrors errors) {
    var path = source.textOrEmpty("path");
    if (Checks.required(SPEC.child("local", "path"), path, errors)) {
      Checks.noBacksteps(SPEC.child("local", "path"), path, errors);
    }
    if (spec.get("nodeAffinity") == null) {
      errors.required(SPEC.child("nodeAffinity"), "Local volume requires node affinity");
    }
  }

  private static void csi(Tree source, VolumeSources sources, FieldErrors errors) {
    var path = SPEC.child("csi");
    sources.driverName(source.textOrEmpty("driver"), path.child("driver"));
    Checks.required(path.child("volumeHandle"), source.textOrEmpty("volumeHandle"), errors);
    for (var field :
        List.of(
            "controllerPublishSecretRef",
            "controllerExpandSecretRef",
            "nodePublishSecretRef",
            "nodeExpandSecretRef")) {
      if (source.get(field) instanceof Tree secret) {
        var at = path.child(field);
        if (Checks.required(at.child("name"), secret.textOrEmpty("name"), errors)) {
          Checks.dnsSubdomain(at.child("name"), secret.textOrEmpty("name"), errors);
        }
        if (Checks.required(at.child("namespace"), secret.textOrEmpty("namespace"), errors)) {
          Checks.dnsLabel(at.child("namespace"), secret.textOrEmpty("namespace"), errors);
        }
      }
    }
  }

  private static void attributesClass(Tree spec, FieldErrors errors) {
    if (spec.get("volumeAttributesClassName") instanceof String name) {
      var path = SPEC.child("volumeAttributesClassName");
      if (name.isEmpty()) {
        errors.required(path, "an empty string is disallowed");
      } else {
        Checks.dnsSubdomain(path, name, errors);
      }
      if (spec.get("csi") == null) {
        errors.required(
            SPEC.child("csi"), "has to be specified when using volumeAttributesClassName");
      }
    }
  }

  @Override
  public List<String> warningsOnCreate(Tree volume) {
    var warnings = new ArrayList<String>();
    if (volume.textOrEmpty("spec", "persistentVolumeReclaimPolicy").equals("Recycle")) {
      warnings.add(
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead,"
              + " the recommended approach is to use dynamic provisioning.");
    }
    return warnings;
  }

  @Override
  public void prepareForUpdate(Tree volume, Tree old, Write write) {
    Fields.keep(volume, old, "status");
  }

  @Override
  public void validateUpdate(Tree volume, Tree old, FieldErrors errors) {
    super.validateCreate(volume, errors);
    var spec = volume.treeOrEmpty("spec");
    var before = old.treeOrEmpty("spec");
    spec(spec, volume.textOrEmpty("metadata", "name"), true, errors);
    var source = sourceOf(spec);
    var oldSource = sourceOf(before);
    if (oldSource.at("csi") != null && oldSource.at("csi", "controllerExpandSecretRef") == null) {
      if (source.get("csi") instanceof Tree csi) {
        csi.remove("controllerExpandSecretRef");
      }
    }
    if (!Fields.isSame(source, oldSource)) {
      errors.forbidden(
          SPEC.child("persistentvolumesource"),
          "spec.persistentvolumesource is immutable after creation\n"
              + JsonDiff.between(oldSource, source));
    }
    Checks.immutable(
        FieldPath.of("volumeMode"), spec.get("volumeMode"), before.get("volumeMode"), errors);
    if (before.get("nodeAffinity") != null && Fields.differs(spec, before, "nodeAffinity")) {
      errors.invalid(
          FieldPath.of("nodeAffinity"),
          spec.get("nodeAffinity"),
          "field is immutable, except for updating from beta label to GA");
    }
    if (before.get("volumeAttributesClassName") != null
        && spec.get("volumeAttributesClassName") == null) {
      errors.forbidden(
          SPEC.child("volumeAttributesClassName"), "update from non-nil value to nil is forbidden");
    }
  }

  private static Tree sourceOf(Tree spec) {
    var source = new Tree();
    for (var kind : SOURCES) {
      if (spec.get(kind) instanceof Tree tree) {
        source.put(kind, tree.copy());
      }
    }
    return source;
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new Status());
  }

  /// The phase and when it last changed.
  private static final class Status extends StatusRules {

    @Override
    public void prepareForUpdate(Tree volume, Tree old, Write write) {
      super.prepareForUpdate(volume, old, write);
      var status = volume.child("status");
      var changed = status.get("lastPhaseTransitionTime");
      var before = old.at("status", "lastPhaseTransitionTime");
      if (!Fields.differs(volume, old, "status", "phase")) {
        if (changed == null) {
          Fields.keepAt(volume, old, "status", "lastPhaseTransitionTime");
        }
      } else if (changed == null || changed.equals(before)) {
        status.put("lastPhaseTransitionTime", time(write));
      }
    }

    @Override
    public void validateUpdate(Tree volume, Tree old, FieldErrors errors) {
      ObjectMeta.validateUpdate(volume, old, errors);
    }
  }

  @Override
  public boolean deleteReturnsObject() {
    return true;
  }

  @Override
  public List<@Nullable Object> cells(Tree volume, Instant now) {
    var spec = volume.treeOrEmpty("spec");
    var claim = spec.tree("claimRef");
    var attributes = spec.text("volumeAttributesClassName");
    var mode = spec.text("volumeMode");
    return Cells.row(
        Cells.name(volume),
        ResourceList.quantity(spec.at("capacity", "storage")).toString(),
        accessModes(spec.list("accessModes")),
        spec.textOrEmpty("persistentVolumeReclaimPolicy"),
        phase(volume),
        claim == null ? "" : claim.textOrEmpty("namespace") + "/" + claim.textOrEmpty("name"),
        storageClass(volume),
        attributes == null ? Cells.UNSET : attributes,
        volume.textOrEmpty("status", "reason"),
        Cells.age(volume, now),
        mode == null ? Cells.UNSET : mode);
  }

  static String phase(Tree object) {
    return object.at("metadata", "deletionTimestamp") == null
        ? object.textOrEmpty("status", "phase")
        : "Terminating";
  }

  static String storageClass(Tree object) {
    var annotation =
        object.texts("metadata", "annotations").get("volume.beta.kubernetes.io/storage-class");
    return annotation == null ? object.textOrEmpty("spec", "storageClassName") : annotation;
  }

  static String accessModes(List<@Nullable Object> modes) {
    var shown = new ArrayList<String>();
    for (var mode : List.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")) {
      if (modes.contains(mode)) {
        shown.add(abbreviated(mode));
      }
    }
    return String.join(",", shown);
  }

  private static String abbreviated(String mode) {
    return switch (mode) {
      case "ReadWriteOnce" -> "RWO";
      case "ReadOnlyMany" -> "ROX";
      case "ReadWriteMany" -> "RWX";
      default -> "RWOP";
    };
  }
}
