package io.berth.kinds.storage;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Conditions;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.util.Map;

/// `storagemigration.k8s.io/v1 storageversionmigrations`
///
/// Mirrors: registry/storagemigration/storagemigration.strategy,
/// storagemigration/validation.ValidateStorageVersionMigration
public final class StorageVersionMigrationStrategy extends PlainStrategy {

  public StorageVersionMigrationStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    validateResource(object.at("spec", "resource"));
  }

  private static void validateResource(Cursor resource) {
    resource
        .at("resource")
        .required("resource is required to be set")
        .follows(Names::dns1035Label, ",");
    resource.at("group").ifFilled().follows(Names::dnsSubdomain, ",");
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    validateResource(object.at("spec", "resource"));
    super.validateUpdate(object, old);
    object.immutable(old, "spec");
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new MigrationStatus());
  }

  private static final class MigrationStatus extends StatusRules {

    @Override
    public void validateUpdate(Cursor object, Tree old) {
      super.validateUpdate(object, old);
      var conditions = object.at("status", "conditions");
      Conditions.validate(conditions);
      var revision = object.at("status", "resourceVersion");
      var before = old.textOrEmpty("status", "resourceVersion");
      if (!before.isEmpty() && !revision.is(before)) {
        revision.invalidText(Checks.IMMUTABLE);
      }
      if (isTrue(object.tree(), "Succeeded") && isTrue(object.tree(), "Failed")) {
        conditions.invalid("Both success and failed conditions cannot be true at the same time");
      }
      if (isTrue(old, "Succeeded") && !isTrue(object.tree(), "Succeeded")) {
        conditions.invalid(
            conditions.list(), "Success condition cannot be set to false once it is true");
      }
      if (isTrue(old, "Failed") && !isTrue(object.tree(), "Failed")) {
        conditions.invalid(
            conditions.list(), "Failed condition cannot be set to false once it is true");
      }
    }

    private static boolean isTrue(Tree object, String type) {
      return object.trees("status", "conditions").stream()
          .anyMatch(each ->
              each.textOrEmpty("type").equals(type) && each.textOrEmpty("status").equals("True"));
    }
  }
}
