package io.berth.kinds.storage;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 volumeattributesclasses`
public final class VolumeAttributesClassStrategy extends PlainStrategy {

  public VolumeAttributesClassStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    StorageClassStrategy.validateProvisioner(
        FieldPath.of("driverName"), object.textOrEmpty("driverName"), errors);
    StorageClassStrategy.validateParameters(object, errors);
    if (object.texts("parameters").isEmpty()) {
      errors.required(FieldPath.of("parameters"), "must contain at least one key/value pair");
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    for (var field : List.of("driverName", "parameters")) {
      if (Fields.differs(object, old, field)) {
        errors.forbidden(FieldPath.of(field), "updates to %s are forbidden.".formatted(field));
      }
    }
    validateCreate(object, errors);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), object.textOrEmpty("driverName"), Cells.age(object, now));
  }
}
