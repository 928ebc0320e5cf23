package io.berth.kinds.core;

import io.berth.api.Quantity;
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
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.JsonDiff;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Persistent volumes.
///
/// Mirrors: registry/core/persistentvolume.persistentvolumeStrategy,
/// core/validation.ValidatePersistentVolumeSpec
public final class PersistentVolumeStrategy extends PlainStrategy {

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
  public void validateCreate(Cursor volume) {
    super.validateCreate(volume);
    spec(volume, false);
  }

  private static void spec(Cursor volume, boolean oldValues) {
    var spec = volume.at("spec");
    spec.require("accessModes");
    PersistentVolumeClaimValidation.accessModes(spec.at("accessModes"));
    capacity(spec.at("capacity"));
    var policy = spec.at("persistentVolumeReclaimPolicy");
    policy.ifFilled().supported();
    var required = spec.at("nodeAffinity").ifSet().at("required");
    required
        .required("must specify required node constraints")
        .ifSet(selector -> AffinityValidation.validateNodeSelector(selector, oldValues));
    source(volume);
    if (spec.at("hostPath").text("path").equals("/") && policy.is("Recycle")) {
      policy.forbidden("may not be 'recycle' for a hostPath mount of '/'");
    }
    spec.at("storageClassName").ifFilled().follows(Names::dnsSubdomain);
    spec.at("volumeMode").ifSet().supported();
    var attributes = spec.at("volumeAttributesClassName").ifSet();
    attributes.required("an empty string is disallowed").follows(Names::dnsSubdomain);
    if (attributes.isSet()) {
      spec.at("csi").required("has to be specified when using volumeAttributesClassName");
    }
  }

  private static void capacity(Cursor capacity) {
    var amounts = capacity.texts();
    if (amounts.isEmpty()) {
      capacity.missing();
    }
    if (!amounts.containsKey("storage") || amounts.size() > 1) {
      capacity.notSupported(capacity.isSet() ? amounts : null, List.of("storage"));
    }
    for (var amount : capacity.entries()) {
      validateAmount(amount);
      amount.positiveQuantity();
    }
  }

  static void validateAmount(Cursor amount) {
    long value = Quantity.parse(amount.text()).value();
    if (value < 0) {
      amount.invalid(value, "must be a valid resource quantity");
    }
  }

  private static void source(Cursor volume) {
    var spec = volume.at("spec");
    boolean found = false;
    for (var kind : SOURCES) {
      if (!spec.has(kind)) {
        continue;
      }
      // As in Kubernetes, a flex volume is looked at also when there is another source.
      if (found && !kind.equals("flexVolume")) {
        spec.at(kind.equals("cephfs") ? "cephFS" : kind)
            .forbidden("may not specify more than 1 volume type");
        continue;
      }
      found = true;
      switch (kind) {
        case "local" -> {
          Checks.noBacksteps(spec.at("local", "path").required());
          spec.at("nodeAffinity").required("Local volume requires node affinity");
        }
        case "csi" -> csi(spec.at("csi"));
        default -> VolumeSources.OF_PERSISTENT_VOLUMES.validate(spec, kind);
      }
      if (kind.equals("iscsi")) {
        var name = volume.at("metadata.name").with(volume.at("metadata").text("name"));
        VolumeValidation.portalName(name, spec.at("iscsi"));
      }
    }
    if (!found) {
      spec.missing("must specify a volume type");
    }
  }

  private static void csi(Cursor source) {
    VolumeSources.driverName(source.at("driver"));
    source.require("volumeHandle");
    for (var reference :
        source.fields(
            "controllerPublishSecretRef",
            "controllerExpandSecretRef",
            "nodePublishSecretRef",
            "nodeExpandSecretRef")) {
      var secret = reference.ifSet();
      secret.at("name").required().follows(Names::dnsSubdomain);
      secret.at("namespace").required().follows(Names::dnsLabel);
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
  public void validateUpdate(Cursor volume, Tree old) {
    super.validateCreate(volume);
    spec(volume, true);
    var spec = volume.at("spec");
    var before = old.treeOrEmpty("spec");
    var source = sourceOf(spec.tree());
    var oldSource = sourceOf(before);
    if (oldSource.at("csi") != null && oldSource.at("csi", "controllerExpandSecretRef") == null) {
      if (source.get("csi") instanceof Tree csi) {
        csi.remove("controllerExpandSecretRef");
      }
    }
    if (!Fields.isSame(source, oldSource)) {
      spec.at("persistentvolumesource")
          .forbidden(
              "spec.persistentvolumesource is immutable after creation\n"
                  + JsonDiff.between(oldSource, source));
    }
    volume.at("volumeMode").with(spec.at("volumeMode").value()).immutable(before.get("volumeMode"));
    if (before.get("nodeAffinity") != null && Fields.differs(spec.tree(), before, "nodeAffinity")) {
      volume
          .at("nodeAffinity")
          .invalid(
              spec.at("nodeAffinity").value(),
              "field is immutable, except for updating from beta label to GA");
    }
    if (before.get("volumeAttributesClassName") != null && !spec.has("volumeAttributesClassName")) {
      spec.at("volumeAttributesClassName")
          .forbidden("update from non-nil value to nil is forbidden");
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
