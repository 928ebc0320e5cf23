package io.berth.kinds.apiextensions;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `apiextensions.k8s.io/v1 customresourcedefinitions`
public final class CustomResourceDefinitionStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath STORED = FieldPath.of("status", "storedVersions");

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
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    Fields.countGeneration(object, old, "spec");
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
  public void validateCreate(Tree object, FieldErrors errors) {
    ObjectMeta.validateCustom(object, false, errors);
    validateName(object, errors);
    Definitions.validate(object.treeOrEmpty("spec"), new Tree(), errors);
    validateStoredVersions(object, errors);
    Approval.validate(object, null, errors);
    validatePreservation(object, errors);
  }

  private static void validatePreservation(Tree object, FieldErrors errors) {
    if (object.flag("spec", "preserveUnknownFields")) {
      errors.invalid(
          SPEC.child("preserveUnknownFields"),
          true,
          "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in"
              + " spec.versions[*].schema instead");
    }
  }

  private static void validateName(Tree object, FieldErrors errors) {
    var name = object.textOrEmpty("metadata", "name");
    var required =
        object.textOrEmpty("spec", "names", "plural") + "." + object.textOrEmpty("spec", "group");
    if (!name.isEmpty() && !name.equals(required)) {
      errors.invalid(
          FieldPath.of("metadata", "name"), name, "must be spec.names.plural+\".\"+spec.group");
    }
  }

  private static void validateStoredVersions(Tree object, FieldErrors errors) {
    var stored = object.list("status", "storedVersions");
    if (stored.isEmpty()) {
      errors.invalid(STORED, null, "must have at least one stored version");
      return;
    }
    var names = new ArrayList<String>();
    for (var version : object.trees("spec", "versions")) {
      var name = version.textOrEmpty("name");
      names.add(name);
      if (version.flag("storage") && !stored.contains(name)) {
        errors.invalid(STORED, stored, "must have the storage version " + name);
      }
    }
    for (int i = 0; i < stored.size(); i++) {
      var name = String.valueOf(stored.get(i));
      if (!names.contains(name)) {
        errors.invalid(
            STORED.index(i),
            name,
            "missing from spec.versions; %s was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in %s and removes %s from status.storedVersions"
                .formatted(name, name, name));
      }
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    var spec = object.treeOrEmpty("spec");
    var before = old.treeOrEmpty("spec");
    Definitions.validate(spec, before, errors);
    if (isEstablished(old)) {
      Checks.immutable(SPEC.child("scope"), spec.get("scope"), before.get("scope"), errors);
      Checks.immutable(
          SPEC.child("names", "kind"),
          spec.at("names", "kind"),
          before.at("names", "kind"),
          errors);
    }
    Checks.immutable(SPEC.child("group"), spec.get("group"), before.get("group"), errors);
    Checks.immutable(
        SPEC.child("names", "plural"),
        spec.at("names", "plural"),
        before.at("names", "plural"),
        errors);
    validateStoredVersions(object, errors);
    Approval.validate(object, old, errors);
    if (!old.flag("spec", "preserveUnknownFields")) {
      validatePreservation(object, errors);
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
    public void validateUpdate(Tree object, Tree old, FieldErrors errors) {}
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
