package io.berth.kinds.storage;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Conditions;
import io.berth.kinds.meta.Names;
import java.util.List;
import java.util.Map;

/// `storagemigration.k8s.io/v1 storageversionmigrations`
public final class StorageVersionMigrationStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath RESOURCE = FieldPath.of("spec", "resource");

  public StorageVersionMigrationStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", new Tree());
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateSpec(object, errors);
  }

  private static void validateSpec(Tree object, FieldErrors errors) {
    var resource = object.textOrEmpty("spec", "resource", "resource");
    if (resource.isEmpty()) {
      errors.required(RESOURCE.child("resource"), "resource is required to be set");
    } else {
      joined(RESOURCE.child("resource"), resource, Names.dns1035Label(resource), errors);
    }
    var group = object.textOrEmpty("spec", "resource", "group");
    if (!group.isEmpty()) {
      joined(RESOURCE.child("group"), group, Names.dnsSubdomain(group), errors);
    }
  }

  private static void joined(
      FieldPath path, String value, List<String> complaints, FieldErrors errors) {
    if (!complaints.isEmpty()) {
      errors.invalid(path, value, String.join(",", complaints));
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    validateSpec(object, errors);
    super.validateUpdate(object, old, errors);
    Checks.immutable(SPEC, object.get("spec"), old.get("spec"), errors);
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new MigrationStatus());
  }

  private static final class MigrationStatus extends StatusRules {

    private static final FieldPath CONDITIONS = FieldPath.of("status", "conditions");
    private static final FieldPath REVISION = FieldPath.of("status", "resourceVersion");

    @Override
    public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
      super.validateUpdate(object, old, errors);
      var conditions = object.trees("status", "conditions");
      Conditions.validate(CONDITIONS, conditions, errors);
      var before = old.textOrEmpty("status", "resourceVersion");
      var revision = object.textOrEmpty("status", "resourceVersion");
      if (!before.isEmpty() && !before.equals(revision)) {
        errors.invalid(REVISION, revision, Checks.IMMUTABLE);
      }
      if (isTrue(object, "Succeeded") && isTrue(object, "Failed")) {
        errors.invalid(
            CONDITIONS,
            conditions,
            "Both success and failed conditions cannot be true at the same time");
      }
      staysTrue("Succeeded", "Success", object, old, errors);
      staysTrue("Failed", "Failed", object, old, errors);
    }

    private static void staysTrue(
        String type, String name, Tree object, Tree old, FieldErrors errors) {
      if (isTrue(old, type) && !isTrue(object, type)) {
        errors.invalid(
            CONDITIONS,
            object.trees("status", "conditions"),
            name + " condition cannot be set to false once it is true");
      }
    }

    private static boolean isTrue(Tree object, String type) {
      return object.trees("status", "conditions").stream()
          .anyMatch(each ->
              each.textOrEmpty("type").equals(type) && each.textOrEmpty("status").equals("True"));
    }
  }
}
