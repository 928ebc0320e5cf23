package io.berth.schema.apply;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.schema.Canonical;
import io.berth.schema.Times;
import io.berth.schema.Types;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Keeps `metadata.managedFields` of one kind's objects, and merges what is applied.
///
/// One instance serves one kind and one subresource. `ignored` are fields that the endpoint resets
/// on every write and that nobody can own through it: `status` on the main endpoint, `spec` on
/// `status`. Objects are canonical trees with `apiVersion` and `kind`.
///
/// Managers of several versions of a custom kind are each compared in their own version; those of a
/// built-in kind field by field as if they were of one.
public final class FieldManager {

  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  private static final FieldSet NEVER_OWNED =
      FieldSet.of(
          "apiVersion",
          "kind",
          "metadata",
          "metadata.name",
          "metadata.namespace",
          "metadata.creationTimestamp",
          "metadata.selfLink",
          "metadata.uid",
          "metadata.clusterName",
          "metadata.generation",
          "metadata.managedFields",
          "metadata.resourceVersion");

  /// No real manager: everybody is somebody else.
  private static final Manager NOBODY = new Manager("", Manager.Operation.UPDATE, "", "");

  private final Structure structure;
  private final Versions versions;
  private final String apiVersion;
  private final String kind;
  private final String subresource;
  private final FieldSet ignored;
  private final Tree empty;
  private final InstantSource clock;

  /// `empty` is an object of the kind without anything in it, as its canonical form is.
  public FieldManager(
      Structure structure, Tree empty, String subresource, FieldSet ignored, InstantSource clock) {
    this(structure, Versions.alike(structure), empty, subresource, ignored, clock);
  }

  /// `versions` are all versions of the kind, among them this one.
  public FieldManager(
      Structure structure,
      Versions versions,
      Tree empty,
      String subresource,
      FieldSet ignored,
      InstantSource clock) {
    this.structure = structure;
    this.versions = versions;
    this.apiVersion = empty.textOrEmpty("apiVersion");
    this.kind = empty.textOrEmpty("kind");
    this.subresource = subresource;
    this.ignored = ignored;
    this.empty = empty;
    this.clock = clock;
  }

  /// The manager of a kind of the type table.
  public static FieldManager of(
      Types types,
      String apiVersion,
      String kind,
      String subresource,
      FieldSet ignored,
      InstantSource clock) {
    var type = types.type(apiVersion, kind);
    var empty = Canonical.of(type, Tree.of("kind", kind, "apiVersion", apiVersion)).freeze();
    return new FieldManager(TypeStructure.of(type), empty, subresource, ignored, clock);
  }

  /// What a create or an apply of something new starts from.
  public Tree empty() {
    return empty;
  }

  /// Notes in `updated` what `manager` changed by a create, update or patch.
  ///
  /// `live` is the object as it was, or [#empty()] for a create. Call it with defaults filled in
  /// and before admission, as Kubernetes does.
  public void update(Tree live, Tree updated, String manager) {
    var managed = given(live, updated);
    removeManagedFields(updated);
    boolean create = live.textOrEmpty("metadata", "uid").isEmpty();
    if (managed.isEmpty() && !create) {
      return;
    }
    try {
      track(managed, live, updated, manager);
    } catch (IllegalArgumentException e) {
      // As in Kubernetes, what cannot be tracked is stored all the same, with its old owners.
      managed = given(live, new Tree());
    }
    write(updated, managed);
  }

  /// The managed fields to go on with: the request's if they are whole, else the live object's.
  private ManagedFields given(Tree live, Tree updated) {
    var current = ManagedFields.read(live.list("metadata", "managedFields"));
    if (subresource.isEmpty()) {
      var requested = updated.at("metadata", "managedFields");
      if (requested instanceof List<?> list) {
        if (list.isEmpty() || isReset(list)) {
          return new ManagedFields();
        }
        var read = ManagedFields.read(list);
        if (read.isPresent() && !read.get().isEmpty()) {
          return read.get();
        }
      }
    }
    return current.orElseGet(ManagedFields::new);
  }

  private static boolean isReset(List<?> entries) {
    return entries.size() == 1 && entries.getFirst() instanceof Tree entry && entry.isEmpty();
  }

  private void track(ManagedFields managed, Tree live, Tree updated, String name) {
    var comparisons = comparisons(live, updated);
    var comparison = comparisons.in(apiVersion);
    if (comparison == null || comparison.isSame()) {
      return;
    }
    if (!managed.isEmpty()) {
      managed.takeFromOthers(NOBODY, comparisons);
    }
    var own = comparison.changed().difference(NEVER_OWNED);
    if (!own.isEmpty()) {
      var manager = Manager.updater(name, apiVersion, subresource);
      var previous = managed.of(manager);
      var fields = previous == null ? own : own.union(previous.fields());
      managed.put(manager, new ManagedFields.Entry(apiVersion, fields, now()));
    }
    managed.cap();
  }

  private Comparisons comparisons(Tree before, Tree after) {
    return new Comparisons(
        versions,
        new Views(versions, before, "old object"),
        new Views(versions, after, "new object"),
        ignored);
  }

  /// The live object with the applied configuration merged in, not yet canonical nor defaulted.
  ///
  /// Throws a conflict when others own what would change and `force` is not given. For an object
  /// that does not exist yet, `live` is [#empty()].
  public Tree apply(Tree live, Tree applied, String manager, boolean force) {
    checkKind(applied);
    try {
      return merged(live, applied, manager, force);
    } catch (ConflictException e) {
      throw e.toApiException();
    } catch (IllegalArgumentException e) {
      throw new ApiException(
          500,
          "",
          "failed to create typed live object (%s/%s; %s): %s"
              .formatted(
                  live.textOrEmpty("metadata", "namespace"),
                  live.textOrEmpty("metadata", "name"),
                  shownKind(apiVersion, kind),
                  e.getMessage()));
    }
  }

  private void checkKind(Tree applied) {
    var givenVersion = applied.textOrEmpty("apiVersion");
    var givenKind = applied.textOrEmpty("kind");
    if (!givenVersion.equals(apiVersion) || !givenKind.equals(kind)) {
      throw ApiException.badRequest("invalid object type: " + shownKind(givenVersion, givenKind));
    }
  }

  private static String shownKind(String version, String kind) {
    return (version.contains("/") ? version : "/" + version) + ", Kind=" + kind;
  }

  private Tree merged(Tree live, Tree applied, String manager, boolean force) {
    try {
      return mergedOnce(live, applied, manager, force);
    } catch (ConflictException e) {
      // What kubectl applied itself on the client's side it may take over without a word.
      if (!manager.equals("kubectl")) {
        throw e;
      }
      var rest = e.without(lastAppliedFields(live));
      if (!rest.isEmpty()) {
        throw rest;
      }
      return mergedOnce(live, applied, manager, true);
    }
  }

  private Tree mergedOnce(Tree live, Tree applied, String name, boolean force) {
    var managed =
        ManagedFields.read(live.list("metadata", "managedFields"))
            .orElseThrow(() -> new ApiException(500, "", "failed to decode managed fields"));
    var current = live.copy();
    removeManagedFields(current);
    if (managed.isEmpty()) {
      track(managed, empty, current, "before-first-apply");
    }
    if (applied.at("metadata", "managedFields") != null) {
      throw ApiException.badRequest("metadata.managedFields must be nil");
    }
    check(applied);
    var merged = merge(managed, current, applied, name, force);
    if (name.equals("kubectl")
        && !merged.textOrEmpty("metadata", "annotations", LAST_APPLIED).isEmpty()) {
      merged.putAt(lastApplied(applied), "metadata", "annotations", LAST_APPLIED);
    }
    write(merged, managed);
    return merged;
  }

  private void check(Tree applied) {
    Check.problems(structure, applied)
        .ifPresent(problems -> {
          throw new ApiException(
              500,
              "",
              "failed to create typed patch object (%s/%s; %s): %s"
                  .formatted(
                      applied.textOrEmpty("metadata", "namespace"),
                      applied.textOrEmpty("metadata", "name"),
                      shownKind(apiVersion, kind),
                      problems));
        });
  }

  private Tree merge(
      ManagedFields managed, Tree current, Tree applied, String name, boolean force) {
    var manager = Manager.applier(name, subresource);
    var last = managed.of(manager);
    var own = OwnedFields.of(structure, applied).recursiveDifference(ignored);
    managed.put(
        manager, new ManagedFields.Entry(apiVersion, own, last == null ? null : last.time()));
    var merged = pruned(Merge.of(structure, current, applied), managed, last);
    settleOwnership(managed, manager, comparisons(current, merged), force);
    strip(managed, manager, !merged.equals(current));
    return merged;
  }

  /// Without what this manager applied last time, does not apply now, and nobody else owns.
  private Tree pruned(Tree merged, ManagedFields managed, ManagedFields.@Nullable Entry last) {
    if (last == null || last.fields().isEmpty()) {
      return merged;
    }
    var pruned = new Pruning(versions, merged).prune(managed, last);
    if (pruned == null) {
      return merged;
    }
    var own = new Views(versions, pruned, "pruned object").in(apiVersion);
    return own == null ? merged : own;
  }

  private void settleOwnership(
      ManagedFields managed, Manager self, Comparisons comparisons, boolean force) {
    var conflicts = new TreeMap<Manager, FieldSet>();
    managed
        .entries()
        .forEach((manager, entry) -> {
          var comparison = comparisons.in(entry.apiVersion());
          if (manager.equals(self) || comparison == null) {
            return;
          }
          var overlap = entry.fields().intersection(comparison.changed());
          if (!overlap.isEmpty()) {
            conflicts.put(manager, overlap);
          }
        });
    if (!force && !conflicts.isEmpty()) {
      throw new ConflictException(conflicts);
    }
    managed.takeFromOthers(self, comparisons);
  }

  private void strip(ManagedFields managed, Manager self, boolean objectChanged) {
    var entry = managed.of(self);
    if (entry == null) {
      return;
    }
    var fields = entry.fields().difference(NEVER_OWNED);
    if (fields.isEmpty()) {
      managed.entries().remove(self);
    } else {
      var time = objectChanged ? now() : entry.time();
      managed.put(self, new ManagedFields.Entry(apiVersion, fields, time));
    }
  }

  /// The fields kubectl's annotation names and that still are as it set them.
  private FieldSet lastAppliedFields(Tree live) {
    var annotation = live.textOrEmpty("metadata", "annotations", LAST_APPLIED);
    if (annotation.isEmpty()) {
      return new FieldSet();
    }
    try {
      var configuration = Json.read(annotation);
      var comparison = Comparison.of(structure, configuration, live);
      return OwnedFields.of(structure, configuration)
          .difference(comparison.changed())
          .difference(comparison.removed());
    } catch (SyntaxException | IllegalArgumentException e) {
      return new FieldSet();
    }
  }

  private static String lastApplied(Tree applied) {
    var configuration = applied.copy();
    var annotations = configuration.tree("metadata", "annotations");
    if (annotations != null) {
      annotations.remove(LAST_APPLIED);
    }
    return Json.text(sorted(configuration)) + "\n";
  }

  private static Tree sorted(Tree tree) {
    var sorted = new Tree();
    for (var name : tree.names().stream().sorted().toList()) {
      var value = tree.get(name);
      sorted.put(name, value instanceof Tree inner ? sorted(inner) : value);
    }
    return sorted;
  }

  private String now() {
    Instant now = clock.instant();
    return Times.format(now, false);
  }

  private static void removeManagedFields(Tree object) {
    var metadata = object.tree("metadata");
    if (metadata != null) {
      metadata.remove("managedFields");
    }
  }

  private static void write(Tree object, ManagedFields managed) {
    if (!managed.isEmpty()) {
      object.child("metadata").put("managedFields", new ArrayList<>(managed.write()));
    }
  }
}
