package io.berth.kinds.core;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Config maps: texts and bytes by key, a mebibyte at most.
public final class ConfigMapStrategy extends PlainStrategy {

  static final int MAX_BYTES = 1024 * 1024;
  static final String IMMUTABLE = "field is immutable when `immutable` is set";

  public ConfigMapStrategy() {
    super(Resource.CONFIG_MAPS);
  }

  @Override
  public void validateCreate(Tree map, FieldErrors errors) {
    super.validateCreate(map, errors);
    long size = 0;
    var binary = map.texts("binaryData");
    for (var entry : map.texts("data").entrySet()) {
      var key = entry.getKey();
      var path = FieldPath.of("data").key(key);
      Checks.complaints(path, key, Names.configMapKey(key), errors);
      if (binary.containsKey(key)) {
        errors.invalid(path, key, "duplicate of key present in binaryData");
      }
      size += Names.bytes(entry.getValue());
    }
    for (var entry : binary.entrySet()) {
      var key = entry.getKey();
      Checks.complaints(FieldPath.of("binaryData").key(key), key, Names.configMapKey(key), errors);
      size += SecretStrategy.decodedLength(entry.getValue());
    }
    if (size > MAX_BYTES) {
      errors.tooLong(FieldPath.ROOT.key(""), MAX_BYTES);
    }
  }

  @Override
  public void validateUpdate(Tree map, Tree old, FieldErrors errors) {
    ObjectMeta.validateUpdate(map, old, errors);
    if (old.flag("immutable")) {
      if (!map.flag("immutable")) {
        errors.forbidden(FieldPath.of("immutable"), IMMUTABLE);
      }
      for (var field : List.of("data", "binaryData")) {
        if (Fields.differs(map, old, field)) {
          errors.forbidden(FieldPath.of(field), IMMUTABLE);
        }
      }
    }
    validateCreate(map, errors);
  }

  @Override
  public List<@Nullable Object> cells(Tree map, Instant now) {
    return Cells.row(
        Cells.name(map),
        map.treeOrEmpty("data").size() + map.treeOrEmpty("binaryData").size(),
        Cells.age(map, now));
  }
}
