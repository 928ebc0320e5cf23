package io.berth.kinds.storage;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.LabelSelectors;
import io.berth.kinds.meta.Names;

/// `storage.k8s.io/v1 csistoragecapacities`
///
/// Mirrors: registry/storage/csistoragecapacity.csiStorageCapacityStrategy,
/// storage/validation.ValidateCSIStorageCapacity
public final class CsiStorageCapacityStrategy extends PlainStrategy {

  public CsiStorageCapacityStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    LabelSelectors.validate(object.at("nodeTopology"), false);
    object.at("storageClassName").follows(Names::dnsSubdomain);
    object.at("capacity").ifSet().nonNegativeQuantity();
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    object.immutable(old, "nodeTopology", "storageClassName");
  }
}
