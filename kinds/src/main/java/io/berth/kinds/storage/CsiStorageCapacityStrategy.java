package io.berth.kinds.storage;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.LabelSelectors;

/// `storage.k8s.io/v1 csistoragecapacities`
public final class CsiStorageCapacityStrategy extends PlainStrategy {

  public CsiStorageCapacityStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    LabelSelectors.validate(
        object.tree("nodeTopology"), false, FieldPath.of("nodeTopology"), errors);
    Checks.dnsSubdomain(
        FieldPath.of("storageClassName"), object.textOrEmpty("storageClassName"), errors);
    var capacity = object.text("capacity");
    if (capacity != null) {
      Checks.nonNegative(FieldPath.of("capacity"), Quantity.parse(capacity), errors);
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    for (var field : new String[] {"nodeTopology", "storageClassName"}) {
      Checks.immutable(FieldPath.of(field), object.get(field), old.get(field), errors);
    }
  }
}
