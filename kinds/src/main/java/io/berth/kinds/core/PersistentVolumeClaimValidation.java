package io.berth.kinds.core;

import io.berth.api.FieldPath;
import io.berth.api.ResourceList;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The rules of a claim's spec, of claims themselves and of templates for them.
///
/// Mirrors: core/validation.ValidatePersistentVolumeClaimSpec
public final class PersistentVolumeClaimValidation {

  static final List<String> ACCESS_MODES =
      List.of("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");

  private PersistentVolumeClaimValidation() {}

  /// The template of an ephemeral volume's claim.
  static void template(Cursor template) {
    ObjectMeta.validateTemplate(template.at("metadata"));
    spec(template.at("spec"), false, false);
  }

  /// `oldGroups` and `oldValues`: what the stored claim already has may stay as it is.
  public static void spec(Cursor spec, boolean oldValues, boolean oldGroups) {
    spec.at("accessModes").required("at least 1 access mode is required");
    LabelSelectors.validate(spec.at("selector"), oldValues);
    accessModes(spec.at("accessModes"));
    var storage = spec.at("resources").key("storage");
    storage.with(spec.at("resources", "requests", "storage").value()).required().positiveQuantity();
    spec.at("storageClassName").ifFilled().follows(Names::dnsSubdomain);
    spec.at("volumeMode").ifSet().supported();
    dataSources(spec, oldGroups);
    spec.at("volumeAttributesClassName").ifFilled().follows(Names::dnsSubdomain);
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

  static void accessModes(Cursor modes) {
    boolean single = false;
    boolean other = false;
    for (var mode : modes.list()) {
      modes.with(mode).supported(ACCESS_MODES);
      single |= "ReadWriteOncePod".equals(mode);
      other |= ACCESS_MODES.contains(mode) && !"ReadWriteOncePod".equals(mode);
    }
    if (single && other) {
      modes.forbidden("may not use ReadWriteOncePod with other access modes");
    }
  }

  private static void dataSources(Cursor spec, boolean oldGroups) {
    var source = spec.at("dataSource");
    var reference = spec.at("dataSourceRef");
    source.ifSet(each -> dataSource(each, oldGroups));
    reference.ifSet(each -> dataSource(each, oldGroups));
    var namespace = reference.at("namespace").ifFilled().follows(Names::dnsLabel);
    if (namespace.isSet() && source.isSet()) {
      spec.invalid(new Tree(), "may not be specified when dataSourceRef.namespace is specified");
    } else if (source.isSet()
        && reference.isSet()
        && !namespace.isSet()
        && !isSame(source.tree(), reference.tree())) {
      spec.invalid(new Tree(), "must match dataSourceRef");
    }
  }

  private static void dataSource(Cursor source, boolean oldGroups) {
    source.require("name", "kind");
    var group = source.at("apiGroup");
    if (!group.isEmpty()) {
      if (!oldGroups) {
        group.follows(Names::dnsSubdomain);
      }
    } else if (!source.text("kind").equals("PersistentVolumeClaim")) {
      source.invalid(
          source.text("kind"),
          "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
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
