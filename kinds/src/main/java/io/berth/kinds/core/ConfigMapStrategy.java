package io.berth.kinds.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Config maps: texts and bytes by key, a mebibyte at most.
///
/// Mirrors: registry/core/configmap.strategy, core/validation.ValidateConfigMap
public final class ConfigMapStrategy extends PlainStrategy {

  static final int MAX_BYTES = 1024 * 1024;
  private static final String IMMUTABLE = "field is immutable when `immutable` is set";

  public ConfigMapStrategy() {
    super(Resource.CONFIG_MAPS);
  }

  @Override
  public void validateCreate(Cursor map) {
    super.validateCreate(map);
    long size = 0;
    for (var entry : map.at("data").entries()) {
      var key = entry.with(entry.name()).follows(Names::configMapKey);
      if (map.at("binaryData").has(entry.name())) {
        key.invalid("duplicate of key present in binaryData");
      }
      size += Names.bytes(entry.text());
    }
    for (var entry : map.at("binaryData").entries()) {
      entry.with(entry.name()).follows(Names::configMapKey);
      size += SecretStrategy.decodedLength(entry.text());
    }
    if (size > MAX_BYTES) {
      map.key("").tooLong(MAX_BYTES);
    }
  }

  @Override
  public void validateUpdate(Cursor map, Tree old) {
    ObjectMeta.validateUpdate(map, old);
    keepImmutable(map, old, "data", "binaryData");
    validateCreate(map);
  }

  /// What was declared immutable stays so, and these fields stay as they are.
  static void keepImmutable(Cursor map, Tree old, String... fields) {
    if (!old.flag("immutable")) {
      return;
    }
    if (!map.flag("immutable")) {
      map.at("immutable").forbidden(IMMUTABLE);
    }
    for (var field : map.fields(fields)) {
      if (!Fields.isSame(field.value(), old.get(field.name()))) {
        field.forbidden(IMMUTABLE);
      }
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree map, Instant now) {
    return Cells.row(
        Cells.name(map),
        map.treeOrEmpty("data").size() + map.treeOrEmpty("binaryData").size(),
        Cells.age(map, now));
  }
}
