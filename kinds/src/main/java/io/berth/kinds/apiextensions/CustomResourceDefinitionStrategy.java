package io.berth.kinds.apiextensions;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `apiextensions.k8s.io/v1 customresourcedefinitions`
///
/// Mirrors: registry/customresourcedefinition.strategy,
/// apiextensions/validation.ValidateCustomResourceDefinition
public final class CustomResourceDefinitionStrategy extends PlainStrategy {

  public CustomResourceDefinitionStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var spec = object.child("spec");
    var names = spec.child("names");
    var kind = names.textOrEmpty("kind");
    if (names.textOrEmpty("singular").isEmpty() && !kind.isEmpty()) {
      names.put("singular", kind.toLowerCase(Locale.ROOT));
    }
    if (names.textOrEmpty("listKind").isEmpty() && !kind.isEmpty()) {
      names.put("listKind", kind + "List");
    }
    spec.putIfAbsent("conversion", Tree.of("strategy", "None"));
    var service = spec.tree("conversion", "webhook", "clientConfig", "service");
    if (service != null) {
      service.putIfAbsent("port", 443);
    }
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put(
        "status", Tree.of("acceptedNames", Tree.of("kind", "", "plural", ""), "conditions", null));
    rememberStorageVersion(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    rememberStorageVersion(object);
  }

  /// Objects may be stored in every version that ever was the storage version.
  private static void rememberStorageVersion(Tree object) {
    for (var version : object.trees("spec", "versions")) {
      if (version.flag("storage")) {
        var status = object.child("status");
        var stored = new ArrayList<@Nullable Object>(status.list("storedVersions"));
        if (!stored.contains(version.textOrEmpty("name"))) {
          stored.add(version.textOrEmpty("name"));
          status.put("storedVersions", stored);
        }
        return;
      }
    }
  }

  @Override
  public void validateCreate(Cursor object) {
    ObjectMeta.validateCustom(object, false);
    var spec = object.at("spec");
    var name = object.at("metadata", "name").ifFilled();
    if (!name.is(spec.at("names").text("plural") + "." + spec.text("group"))) {
      name.invalid("must be spec.names.plural+\".\"+spec.group");
    }
    Definitions.validate(spec, new Tree());
    validateStoredVersions(object.at("status", "storedVersions"), spec);
    Approval.validate(object, null);
    validatePreservation(spec.at("preserveUnknownFields"));
  }

  private static void validatePreservation(Cursor preserves) {
    if (preserves.flag()) {
      preserves.invalid(
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  private static void validateStoredVersions(Cursor stored, Cursor spec) {
    if (stored.isEmpty()) {
      stored.invalid(null, "must have at least one stored version");
      return;
    }
    var names = new HashSet<String>();
    for (var version : spec.each("versions")) {
      var name = version.text("name");
      names.add(name);
      if (version.flag("storage") && !stored.list().contains(name)) {
        stored.invalid("must have the storage version " + name);
      }
    }
    for (var version : stored.each()) {
      var name = version.text();
      if (!names.contains(name)) {
        version.invalid(
            "missing from spec.versions; %s was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in %s and removes %s from status.storedVersions"
                .formatted(name, name, name));
      }
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    var spec = object.at("spec");
    var before = old.treeOrEmpty("spec");
    var oldNames = before.treeOrEmpty("names");
    Definitions.validate(spec, before);
    if (isEstablished(old)) {
      spec.immutable(before, "scope");
      spec.at("names").immutable(oldNames, "kind");
    }
    spec.immutable(before, "group");
    spec.at("names").immutable(oldNames, "plural");
    validateStoredVersions(object.at("status", "storedVersions"), spec);
    Approval.validate(object, old);
    if (!old.flag("spec", "preserveUnknownFields")) {
      validatePreservation(spec.at("preserveUnknownFields"));
    }
  }

  private static boolean isEstablished(Tree object) {
    return object.trees("status", "conditions").stream()
        .anyMatch(condition ->
            condition.textOrEmpty("type").equals("Established")
                && condition.textOrEmpty("status").equals("True"));
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new DefinitionStatusRules());
  }

  /// The status of a definition; as everywhere in its group, finalizers need no domain.
  private static final class DefinitionStatusRules extends StatusRules {

    @Override
    public void validateUpdate(Cursor object, Tree old) {}
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var spec = object.treeOrEmpty("spec");
    var shortNames =
        spec.list("names", "shortNames").stream()
            .map(String::valueOf)
            .collect(Collectors.joining(","));
    var versions =
        spec.trees("versions").stream()
            .map(CustomResourceDefinitionStrategy::version)
            .collect(Collectors.joining(","));
    return Cells.row(
        Cells.name(object),
        spec.textOrEmpty("scope"),
        versions,
        object.text("metadata", "creationTimestamp"),
        spec.textOrEmpty("group"),
        spec.textOrEmpty("names", "kind"),
        shortNames,
        isEstablished(object));
  }

  private static String version(Tree version) {
    var name = version.textOrEmpty("name");
    if (version.flag("storage")) {
      return name + "(storage)";
    }
    return version.flag("served") ? name : name + "(unserved)";
  }
}
