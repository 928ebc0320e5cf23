package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Conditions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 devicetaintrules`: a taint for all devices that a selector picks.
public final class DeviceTaintRuleStrategy extends PlainStrategy {

  private static final FieldPath SELECTOR = FieldPath.of("spec", "deviceSelector");
  private static final FieldPath TAINT = FieldPath.of("spec", "taint");
  private static final FieldPath CONDITIONS = FieldPath.of("status", "conditions");
  private static final int MAX_CONDITIONS = 8;

  public DeviceTaintRuleStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    DeviceTaints.setDefaults(object.child("spec").child("taint"), write.now());
    object.put("status", new Tree());
    Fields.firstGeneration(object);
  }

  /// A changed effect begins anew, unless the caller says since when it holds.
  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
    var taint = object.child("spec").child("taint");
    DeviceTaints.setDefaults(taint, write.now());
    var before = old.treeOrEmpty("spec", "taint");
    if (Fields.differs(taint, before, "effect") && !Fields.differs(taint, before, "timeAdded")) {
      taint.put("timeAdded", DeviceTaints.time(write.now()));
    }
    Fields.countGeneration(object, old, "spec");
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateSpec(object, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validateSpec(object, errors);
  }

  private static void validateSpec(Tree object, FieldErrors errors) {
    var selector = object.treeOrEmpty("spec", "deviceSelector");
    var driver = selector.text("driver");
    if (driver != null) {
      DeviceNames.driver(SELECTOR.child("driver"), driver, errors);
    }
    var pool = selector.text("pool");
    if (pool != null) {
      DeviceNames.pool(SELECTOR.child("pool"), pool, errors);
    }
    var device = selector.text("device");
    if (device != null) {
      Checks.dnsLabel(SELECTOR.child("device"), device, errors);
    }
    DeviceTaints.validate(TAINT, object.treeOrEmpty("spec", "taint"), errors);
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new Status());
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var taint = object.treeOrEmpty("spec", "taint");
    var added = taint.text("timeAdded");
    return Cells.row(
        Cells.name(object),
        taint.textOrEmpty("key"),
        taint.textOrEmpty("value"),
        taint.textOrEmpty("effect"),
        added == null ? "" : Cells.since(added, now),
        Cells.age(object, now));
  }

  private static final class Status extends StatusRules {

    @Override
    public void prepareForUpdate(Tree object, Tree old, Write write) {
      super.prepareForUpdate(object, old, write);
      Fields.keepMetadata(object, old);
    }

    @Override
    public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
      super.validateUpdate(object, old, errors);
      var conditions = object.trees("status", "conditions");
      Conditions.validate(CONDITIONS, conditions, errors);
      if (conditions.size() > MAX_CONDITIONS) {
        errors.tooMany(CONDITIONS, conditions.size(), MAX_CONDITIONS);
      }
    }
  }
}
