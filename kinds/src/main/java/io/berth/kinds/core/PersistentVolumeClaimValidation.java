package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The rules of a claim's spec, of claims themselves and of templates for them.
public final class PersistentVolumeClaimValidation {

  static final List<String> ACCESS_MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
  static final List<String> VOLUME_MODES = List.of("Block", "Filesystem");

  private PersistentVolumeClaimValidation() {}

  /// The template of an ephemeral volume's claim.
  static void template(Tree template, FieldPath path, FieldErrors errors) {
    ObjectMeta.validateTemplate(template.treeOrEmpty("metadata"), path.child("metadata"), errors);
    spec(template.treeOrEmpty("spec"), false, false, path.child("spec"), errors);
  }

  /// `oldGroups` and `oldValues`: what the stored claim already has may stay as it is.
  public static void spec(
      Tree spec, boolean oldValues, boolean oldGroups, FieldPath path, FieldErrors errors) {
    var modes = spec.list("accessModes");
    if (modes.isEmpty()) {
      errors.required(path.child("accessModes"), "at least 1 access mode is required");
    }
    LabelSelectors.validate(spec.tree("selector"), oldValues, path.child("selector"), errors);
    accessModes(modes.stream().map(String::valueOf).toList(), path.child("accessModes"), errors);
    storage(spec, path.child("resources").key("storage"), errors);
    className(spec, "storageClassName", path, errors);
    if (spec.get("volumeMode") instanceof String mode) {
      Checks.supported(path.child("volumeMode"), mode, VOLUME_MODES, errors);
    }
    dataSources(spec, oldGroups, path, errors);
    className(spec, "volumeAttributesClassName", path, errors);
  }

  /// What is accepted in a claim's spec but hardly meant.
  public static List<String> warnings(Tree spec, FieldPath path) {
    var warnings = new ArrayList<String>();
    for (var list : List.of("requests", "limits")) {
      var amount = ResourceList.quantity(spec.at("resources", list, "storage"));
      if (amount.milliValue() % 1000 != 0) {
        warnings.add(
            path.child("resources", list).key("storage")
                + ": fractional byte value \"%s\" is invalid, must be an integer"
                    .formatted(amount));
      }
    }
    return warnings;
  }

  static void accessModes(List<String> modes, FieldPath path, FieldErrors errors) {
    for (var mode : modes) {
      Checks.supported(path, mode, ACCESS_MODES, errors);
    }
    boolean single = modes.contains("ReadWriteOncePod");
    boolean other =
        modes.stream().anyMatch(m -> ACCESS_MODES.contains(m) && !m.equals("ReadWriteOncePod"));
    if (single && other) {
      errors.forbidden(path, "may not use ReadWriteOncePod with other access modes");
    }
  }

  private static void storage(Tree spec, FieldPath path, FieldErrors errors) {
    var storage = spec.at("resources", "requests", "storage");
    if (storage == null) {
      errors.required(path);
    } else {
      Checks.positive(path, ResourceList.quantity(storage), errors);
    }
  }

  private static void className(Tree spec, String field, FieldPath path, FieldErrors errors) {
    var name = spec.textOrEmpty(field);
    if (!name.isEmpty()) {
      Checks.dnsSubdomain(path.child(field), name, errors);
    }
  }

  private static void dataSources(
      Tree spec, boolean oldGroups, FieldPath path, FieldErrors errors) {
    var source = spec.tree("dataSource");
    var reference = spec.tree("dataSourceRef");
    if (source != null) {
      dataSource(source, oldGroups, path.child("dataSource"), errors);
    }
    if (reference != null) {
      dataSource(reference, oldGroups, path.child("dataSourceRef"), errors);
    }
    var namespace = reference == null ? "" : reference.textOrEmpty("namespace");
    if (!namespace.isEmpty()) {
      Checks.dnsLabel(path.child("dataSourceRef", "namespace"), namespace, errors);
      if (source != null) {
        errors.invalid(
            path, new Tree(), "may not be specified when dataSourceRef.namespace is specified");
      }
    } else if (source != null && reference != null && !isSame(source, reference)) {
      errors.invalid(path, new Tree(), "must match dataSourceRef");
    }
  }

  private static void dataSource(
      Tree source, boolean oldGroups, FieldPath path, FieldErrors errors) {
    Checks.required(path.child("name"), source.textOrEmpty("name"), errors);
    Checks.required(path.child("kind"), source.textOrEmpty("kind"), errors);
    var group = source.textOrEmpty("apiGroup");
    if (group.isEmpty()) {
      if (!source.textOrEmpty("kind").equals("PersistentVolumeClaim")) {
        errors.invalid(
            path,
            source.textOrEmpty("kind"),
            "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
      }
    } else if (!oldGroups) {
      Checks.dnsSubdomain(path.child("apiGroup"), group, errors);
    }
  }

  private static boolean isSame(Tree source, Tree reference) {
    for (var field : List.of("apiGroup", "kind", "name")) {
      if (!Objects.equals(source.get(field), reference.get(field))) {
        return false;
      }
    }
    return true;
  }
}
