package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.core.ResourceNames;

/// `resource.k8s.io/v1 deviceclasses`
public final class DeviceClassStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");

  public DeviceClassStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    if (Fields.differs(object, old, "spec")) {
      Fields.nextGeneration(object, old);
    }
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateSpec(object.treeOrEmpty("spec"), errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validateSpec(object.treeOrEmpty("spec"), errors);
  }

  private static void validateSpec(Tree spec, FieldErrors errors) {
    DeviceRequests.selectors(SPEC.child("selectors"), spec.trees("selectors"), errors);
    var configurations = spec.trees("config");
    var path = SPEC.child("config");
    if (!DeviceClaims.tooMany(path, configurations, DeviceClaims.MAX_ITEMS, errors)) {
      for (int i = 0; i < configurations.size(); i++) {
        DeviceConfigurations.validate(path.index(i), configurations.get(i), errors);
      }
    }
    var extended = spec.text("extendedResourceName");
    if (extended != null && !ResourceNames.isExtended(extended)) {
      errors
          .declared()
          .invalid(
              SPEC.child("extendedResourceName"),
              extended,
              "must be a valid extended resource name");
    }
  }
}
