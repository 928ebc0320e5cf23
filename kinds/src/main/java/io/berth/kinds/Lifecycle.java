package io.berth.kinds;

import io.berth.api.FieldErrors;
import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.util.List;

/// The order in which a write goes through a kind's rules.
///
/// Create: decode, [Strategy#setDefaults], mutating admission, [Strategy#reserve], [#beforeCreate],
/// validating admission, store. Update and patch: the same with the stored object beside it and
/// [#beforeUpdate]. Name, uid, creation time and namespace are set before this.
///
/// Mirrors: apiserver/pkg/registry/rest.BeforeCreate, BeforeUpdate
public final class Lifecycle {

  private Lifecycle() {}

  /// Prepares and checks a new object; returns the warnings. Refuses with 422.
  public static List<String> beforeCreate(Kind kind, Tree object, Write write) {
    var strategy = kind.strategy();
    if (kind.has(Trait.STATUS)) {
      object.put("status", new Tree());
    }
    strategy.prepareForCreate(object, write);
    if (kind.has(Trait.GENERATION)) {
      Fields.firstGeneration(object);
    }
    var errors = new FieldErrors();
    var cursor = Cursor.of(kind.resource(), object, errors);
    strategy.validateCreate(cursor);
    if (errors.isEmpty()) {
      ObjectMeta.validateAny(cursor, kind.resource().namespaced());
    }
    errors.throwIfAny(kind.resource(), object.textOrEmpty("metadata", "name"));
    return strategy.warningsOnCreate(object);
  }

  /// Prepares and checks a change through one of the object's doors; returns the warnings.
  ///
  /// `rules` is the kind's strategy or one of its subresources. `object` carries the old
  /// resourceVersion when the caller gave none and the kind allows that.
  public static List<String> beforeUpdate(
      Kind kind, UpdateRules rules, Tree object, Tree old, Write write) {
    var meta = object.child("metadata");
    var oldMeta = old.treeOrEmpty("metadata");
    Fields.keep(meta, oldMeta, "generation");
    boolean whole = rules instanceof Strategy;
    if (whole && kind.has(Trait.STATUS)) {
      Fields.keep(object, old, "status");
    }
    rules.prepareForUpdate(object, old, write);
    if (whole && kind.has(Trait.GENERATION)) {
      Fields.countGeneration(object, old, "spec");
    }
    keepServerFields(meta, oldMeta);
    var errors = new FieldErrors();
    var cursor = Cursor.of(kind.resource(), object, errors);
    ObjectMeta.validateAny(cursor, kind.resource().namespaced());
    ObjectMeta.validateAnyUpdate(cursor, old);
    rules.validateUpdate(cursor, old, write);
    errors.throwIfAny(kind.resource(), meta.textOrEmpty("name"));
    return rules.warningsOnUpdate(object, old);
  }

  private static void keepServerFields(Tree meta, Tree oldMeta) {
    if (meta.textOrEmpty("uid").isEmpty()) {
      Fields.keep(meta, oldMeta, "uid");
    }
    for (var field : List.of("creationTimestamp", "deletionTimestamp")) {
      if (oldMeta.get(field) != null) {
        Fields.keep(meta, oldMeta, field);
      }
    }
    if (meta.get("deletionGracePeriodSeconds") == null
        && oldMeta.get("deletionGracePeriodSeconds") != null) {
      Fields.keep(meta, oldMeta, "deletionGracePeriodSeconds");
    }
  }
}
