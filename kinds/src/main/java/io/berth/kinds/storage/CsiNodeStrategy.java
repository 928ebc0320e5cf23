package io.berth.kinds.storage;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `storage.k8s.io/v1 csinodes`
public final class CsiNodeStrategy extends PlainStrategy {

  private static final FieldPath DRIVERS = FieldPath.of("spec", "drivers");
  private static final int MAX_NODE_ID = 256;

  public CsiNodeStrategy() {
    super(Resource.CSI_NODES);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public boolean deleteReturnsObject() {
    return true;
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusRules());
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateDrivers(object, errors);
  }

  private static void validateDrivers(Tree object, FieldErrors errors) {
    var drivers = object.trees("spec", "drivers");
    var names = new HashSet<String>();
    for (int i = 0; i < drivers.size(); i++) {
      var path = DRIVERS.index(i);
      var driver = drivers.get(i);
      var name = driver.textOrEmpty("name");
      validateName(name, path.child("name"), errors);
      validateNodeId(driver.textOrEmpty("nodeID"), path.child("nodeID"), errors);
      Checks.nonNegative(
          path.child("allocatable", "count"), driver.number(0, "allocatable", "count"), errors);
      if (!names.add(name)) {
        errors.duplicate(path.child("name"), name);
      }
      var keys = new HashSet<String>();
      for (var value : driver.list("topologyKeys")) {
        var key = String.valueOf(value);
        if (!keys.add(key)) {
          errors.duplicate(path, key);
        }
        Checks.required(path, key, errors);
        ObjectMeta.validateLabelName(key, path, errors);
      }
    }
  }

  private static void validateName(String name, FieldPath path, FieldErrors errors) {
    if (Checks.required(path, name, errors)) {
      if (name.length() > 63) {
        errors.tooLong(path, 63);
      }
      Checks.complaints(path, name, Names.dnsSubdomain(name.toLowerCase(Locale.ROOT)), errors);
    }
  }

  private static void validateNodeId(String id, FieldPath path, FieldErrors errors) {
    if (Checks.required(path, id, errors) && Names.bytes(id) > MAX_NODE_ID) {
      errors.invalid(path, id, "must be %d characters or less".formatted(MAX_NODE_ID));
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validateDrivers(object, errors);
    for (var driver : object.trees("spec", "drivers")) {
      for (var before : old.trees("spec", "drivers")) {
        boolean same = before.textOrEmpty("name").equals(driver.textOrEmpty("name"));
        if (same && !withoutCount(before).equals(withoutCount(driver))) {
          errors.invalid(FieldPath.of("CSINodeDriver"), driver, Checks.IMMUTABLE);
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
