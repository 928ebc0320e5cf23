package io.berth.kinds.resource;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Conditions;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 devicetaintrules`: a taint for all devices that a selector picks.
///
/// Mirrors: registry/resource/devicetaintrule.deviceTaintRuleStrategy,
/// resource/validation.ValidateDeviceTaintRule
public final class DeviceTaintRuleStrategy extends PlainStrategy {

  private static final int MAX_CONDITIONS = 8;

  public DeviceTaintRuleStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    DeviceTaints.setDefaults(object.child("spec").child("taint"), write.now());
  }

  /// A changed effect begins anew, unless the caller says since when it holds.
  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    var taint = object.child("spec").child("taint");
    DeviceTaints.setDefaults(taint, write.now());
    var before = old.treeOrEmpty("spec", "taint");
    if (Fields.differs(taint, before, "effect") && !Fields.differs(taint, before, "timeAdded")) {
      taint.put("timeAdded", DeviceTaints.time(write.now()));
    }
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var selector = object.at("spec", "deviceSelector");
    selector.at("driver").ifSet(DeviceNames::driver);
    selector.at("pool").ifSet(DeviceNames::pool);
    selector.at("device").ifSet().follows(Names::dnsLabel);
    DeviceTaints.validate(object.at("spec", "taint"));
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
    public void validateUpdate(Cursor object, Tree old) {
      super.validateUpdate(object, old);
      var conditions = object.at("status", "conditions");
      Conditions.validate(conditions);
      conditions.atMostItems(MAX_CONDITIONS);
    }
  }
}
