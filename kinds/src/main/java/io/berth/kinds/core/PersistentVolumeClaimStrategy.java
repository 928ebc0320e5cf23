package io.berth.kinds.core;

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
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.JsonDiff;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Persistent volume claims.
///
/// Mirrors: registry/core/persistentvolumeclaim.persistentvolumeclaimStrategy,
/// core/validation.ValidatePersistentVolumeClaimUpdate
public final class PersistentVolumeClaimStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

  public PersistentVolumeClaimStrategy() {
    super(Resource.PERSISTENT_VOLUME_CLAIMS);
  }

  @Override
  public void setDefaults(Tree claim) {
    PodSpecDefaults.text(claim.child("status"), "phase", "Pending");
    var spec = claim.child("spec");
    spec.putIfAbsent("volumeMode", "Filesystem");
    ResourceList.roundUp(spec.child("resources").tree("requests"));
    ResourceList.roundUp(spec.child("resources").tree("limits"));
  }

  @Override
  public void prepareForCreate(Tree claim, Write write) {
    claim.put("status", Tree.of("phase", "Pending"));
    normalizeSources(claim.child("spec"), new Tree());
  }

  // The older and the newer field for the same thing are kept alike.
  private static void normalizeSources(Tree spec, Tree old) {
    dropSources(spec, old);
    var source = spec.tree("dataSource");
    var reference = spec.tree("dataSourceRef");
    if (source != null && reference == null) {
      spec.put("dataSourceRef", source.copy());
    } else if (source == null
        && reference != null
        && reference.textOrEmpty("namespace").isEmpty()) {
      var copy = reference.copy();
      copy.remove("namespace");
      spec.put("dataSource", copy);
    }
  }

  // As in Kubernetes, a reference into another namespace is behind a gate that is off, and what the
  // older field never meant is dropped without a word.
  private static void dropSources(Tree spec, Tree old) {
    if (!spec.textOrEmpty("dataSourceRef", "namespace").isEmpty() && !old.has("dataSourceRef")) {
      spec.remove("dataSourceRef");
    }
    boolean inUse = old.has("dataSource") || old.has("dataSourceRef") || spec.has("dataSourceRef");
    if (!inUse && !isClaimOrSnapshot(spec.treeOrEmpty("dataSource"))) {
      spec.remove("dataSource");
    }
  }

  private static boolean isClaimOrSnapshot(Tree source) {
    return switch (source.textOrEmpty("kind")) {
      case "PersistentVolumeClaim" -> source.textOrEmpty("apiGroup").isEmpty();
      case "VolumeSnapshot" -> source.textOrEmpty("apiGroup").equals("snapshot.storage.k8s.io");
      default -> false;
    };
  }

  @Override
  public void validateCreate(Cursor claim) {
    super.validateCreate(claim);
    PersistentVolumeClaimValidation.spec(claim.at("spec"), false, false);
  }

  @Override
  public List<String> warningsOnCreate(Tree claim) {
    return warnings(claim);
  }

  @Override
  public List<String> warningsOnUpdate(Tree claim, Tree old) {
    return warnings(claim);
  }

  private static List<String> warnings(Tree claim) {
    var warnings = new ArrayList<String>();
    if (claim.texts("metadata", "annotations").containsKey(CLASS_ANNOTATION)) {
      warnings.add(
          ObjectMeta.PATH.child("annotations").key(CLASS_ANNOTATION)
              + ": deprecated since v1.8; use \"storageClassName\" attribute instead");
    }
    warnings.addAll(PersistentVolumeClaimValidation.warnings(claim.treeOrEmpty("spec"), SPEC));
    return warnings;
  }

  @Override
  public void prepareForUpdate(Tree claim, Tree old, Write write) {
    normalizeSources(claim.child("spec"), old.treeOrEmpty("spec"));
  }

  @Override
  public void validateUpdate(Cursor claim, Tree old) {
    ObjectMeta.validateUpdate(claim, old);
    super.validateCreate(claim);
    var spec = claim.at("spec");
    var before = old.treeOrEmpty("spec");
    PersistentVolumeClaimValidation.spec(
        spec,
        LabelSelectors.hasBadValues(before.tree("selector")),
        before.at("dataSource", "apiGroup") != null
            || before.at("dataSourceRef", "apiGroup") != null);
    remainder(claim, old);
    shrinking(spec.at("resources", "requests", "storage"), old);
    claim.at("volumeMode").with(spec.at("volumeMode").value()).immutable(before.get("volumeMode"));
    var attributes = spec.at("volumeAttributesClassName");
    if (!Fields.isSame(attributes.value(), before.get("volumeAttributesClassName"))
        && old.at("status", "currentVolumeAttributesClassName") != null
        && attributes.isEmpty()) {
      attributes.forbidden(
          "update to %s is forbidden when status.currentVolumeAttributesClassName is not nil"
              .formatted(attributes.isSet() ? "empty string" : "nil"));
    }
  }

  /// Puts back everything that may change; what is left over must not have changed.
  private static void remainder(Cursor claim, Tree old) {
    var rest = claim.at("spec").tree().copy();
    var before = old.treeOrEmpty("spec").copy();
    if (before.textOrEmpty("volumeName").isEmpty()) {
      Fields.keep(before, rest, "volumeName");
    }
    var annotation = claim.at("metadata", "annotations", CLASS_ANNOTATION);
    var oldAnnotation = old.texts("metadata", "annotations").getOrDefault(CLASS_ANNOTATION, "");
    annotation.with(annotation.text()).immutable(oldAnnotation);
    var storageClass = rest.text("storageClassName");
    if (storageClass != null
        && before.get("storageClassName") == null
        && (oldAnnotation.isEmpty() || oldAnnotation.equals(storageClass))) {
      rest.remove("storageClassName");
    }
    if (claim.at("status").text("phase").equals("Bound")) {
      Fields.keepAt(rest, before, "resources", "requests", "storage");
      Fields.keep(rest, before, "volumeAttributesClassName");
    }
    if (!Fields.isSame(rest, before)) {
      claim
          .at("spec")
          .forbidden(
              "spec is immutable after creation except resources.requests and"
                  + " volumeAttributesClassName for bound claims\n"
                  + JsonDiff.between(before, rest));
    }
  }

  private static void shrinking(Cursor storage, Tree old) {
    var size = ResourceList.quantity(storage.value());
    var before = ResourceList.quantity(old.at("spec", "resources", "requests", "storage"));
    var actual = ResourceList.quantity(old.at("status", "capacity", "storage"));
    if (size.compareTo(before) < 0 && size.compareTo(actual) <= 0) {
      storage.forbidden("field can not be less than status.capacity");
    }
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of(
        "status",
        new StatusRules() {
          @Override
          public void validateUpdate(Cursor claim, Tree old) {
            super.validateUpdate(claim, old);
            claim
                .at("status", "capacity")
                .entries()
                .forEach(PersistentVolumeStrategy::validateAmount);
          }
        });
  }

  @Override
  public List<@Nullable Object> cells(Tree claim, Instant now) {
    var spec = claim.treeOrEmpty("spec");
    boolean bound = !spec.textOrEmpty("volumeName").isEmpty();
    var attributes = spec.text("volumeAttributesClassName");
    var mode = spec.text("volumeMode");
    return Cells.row(
        Cells.name(claim),
        PersistentVolumeStrategy.phase(claim),
        spec.textOrEmpty("volumeName"),
        bound ? ResourceList.quantity(claim.at("status", "capacity", "storage")).toString() : "",
        bound ? PersistentVolumeStrategy.accessModes(claim.list("status", "accessModes")) : "",
        PersistentVolumeStrategy.storageClass(claim),
        attributes == null ? Cells.UNSET : attributes,
        Cells.age(claim, now),
        mode == null ? Cells.UNSET : mode);
  }
}
