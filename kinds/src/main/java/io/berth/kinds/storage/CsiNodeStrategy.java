package io.berth.kinds.storage;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 csinodes`
///
/// Mirrors: registry/storage/csinode.csiNodeStrategy, storage/validation.ValidateCSINode
public final class CsiNodeStrategy extends PlainStrategy {

  private static final int MAX_NODE_ID = 256;

  public CsiNodeStrategy() {
    super(Resource.CSI_NODES);
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusRules());
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var names = new HashSet<String>();
    for (var driver : object.at("spec").each("drivers")) {
      CsiDriverStrategy.validateName(driver.at("name").required());
      var id = driver.at("nodeID").required();
      if (Names.bytes(id.text()) > MAX_NODE_ID) {
        id.invalid("must be %d characters or less".formatted(MAX_NODE_ID));
      }
      driver.at("allocatable", "count").nonNegative();
      driver.at("name").unique(names);
      var keys = new HashSet<String>();
      for (var key : driver.tree().list("topologyKeys")) {
        var at = driver.with(key).unique(keys);
        at.required();
        at.follows(Names::qualifiedName);
      }
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    for (var driver : object.tree().trees("spec", "drivers")) {
      for (var before : old.trees("spec", "drivers")) {
        boolean same = before.textOrEmpty("name").equals(driver.textOrEmpty("name"));
        if (same && !withoutCount(before).equals(withoutCount(driver))) {
          object.at("CSINodeDriver").invalid(driver, Checks.IMMUTABLE);
        }
      }
    }
  }

  private static Tree withoutCount(Tree driver) {
    var rest = driver.copy();
    rest.remove("allocatable");
    return rest;
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object), object.list("spec", "drivers").size(), Cells.age(object, now));
  }
}
