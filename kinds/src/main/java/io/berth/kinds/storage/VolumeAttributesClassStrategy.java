package io.berth.kinds.storage;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 volumeattributesclasses`
///
/// Mirrors: registry/storage/volumeattributesclass.volumeAttributesClassStrategy,
/// storage/validation.ValidateVolumeAttributesClass
public final class VolumeAttributesClassStrategy extends PlainStrategy {

  public VolumeAttributesClassStrategy(Resource resource) {
    super(resource);
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    StorageClassStrategy.validateProvisioner(object.at("driverName"));
    var parameters = object.at("parameters");
    StorageClassStrategy.validateParameters(parameters);
    if (parameters.tree().isEmpty()) {
      parameters.missing("must contain at least one key/value pair");
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    ObjectMeta.validateUpdate(object, old);
    for (var field : object.fields("driverName", "parameters")) {
      if (!Fields.isSame(field.value(), old.get(field.name()))) {
        field.forbidden("updates to %s are forbidden.".formatted(field.name()));
      }
    }
    validateCreate(object);
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), object.textOrEmpty("driverName"), Cells.age(object, now));
  }
}
