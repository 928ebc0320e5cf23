package io.berth.schema.apply;

import io.berth.api.Tree;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Takes out of a merged object what its manager applied last time, does not apply now, and nobody
/// else owns. What the manager owned is looked up in the version it applied then.
final class Pruning {

  private final Versions versions;
  private final Views merged;

  Pruning(Versions versions, Tree merged) {
    this.versions = versions;
    this.merged = new Views(versions, merged, "merged object");
  }

  /// The pruned object in the version of the last apply, or `null` when that version is gone.
  @Nullable Tree prune(ManagedFields managed, ManagedFields.Entry last) {
    var version = last.apiVersion();
    var before = merged.in(version);
    if (before == null) {
      return null;
    }
    var structure = versions.structure(version);
    var lastFields = last.fields().withDeclaredParents(structure);
    var pruned = withOwned(managed, version, Removal.of(structure, before, lastFields));
    var rest = new Views(versions, pruned, "pruned object").in(version);
    if (rest == null) {
      return null;
    }
    var gone = fields(version, before).difference(fields(version, rest));
    return Removal.of(structure, before, gone.intersection(lastFields));
  }

  /// With what anybody owns, version by version; that of the object first.
  private Tree withOwned(ManagedFields managed, String first, Tree pruned) {
    var byVersion = new TreeMap<String, FieldSet>();
    managed
        .entries()
        .values()
        .forEach(entry -> byVersion.merge(entry.apiVersion(), entry.fields(), FieldSet::union));
    var own = byVersion.remove(first);
    var result = own == null ? pruned : withOwned(first, own, pruned);
    for (var entry : byVersion.entrySet()) {
      result = withOwned(entry.getKey(), entry.getValue(), result);
    }
    return result;
  }

  private Tree withOwned(String version, FieldSet owned, Tree pruned) {
    var whole = merged.in(version);
    var part = new Views(versions, pruned, "pruned object").in(version);
    if (whole == null || part == null) {
      return pruned;
    }
    var structure = versions.structure(version);
    var kept = fields(version, part).union(owned.withDeclaredParents(structure));
    return Removal.of(structure, whole, fields(version, whole).difference(kept));
  }

  private FieldSet fields(String version, Tree object) {
    var structure = versions.structure(version);
    return OwnedFields.of(structure, object).withDeclaredParents(structure);
  }
}
