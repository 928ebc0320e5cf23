package io.berth.kinds.resource;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.core.GoStructs;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 resourceslices`: devices that a driver offers, or counters they share.
///
/// Mirrors: registry/resource/resourceslice.resourceSliceStrategy,
/// resource/validation.ValidateResourceSlice
public final class ResourceSliceStrategy extends PlainStrategy {

  private static final int MAX_DEVICES = 128;
  private static final int MAX_ADVANCED_DEVICES = 64;
  private static final String WHERE =
      "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";

  public ResourceSliceStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    prepare(object, write);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    prepare(object, write);
  }

  private static void prepare(Tree object, Write write) {
    var spec = object.child("spec");
    spec.remove("partitionTypeAttribute");
    spec.remove("skipNodeOperations");
    for (var device : spec.trees("devices")) {
      Devices.dropDisabled(device);
      device.trees("taints").forEach(taint -> DeviceTaints.setDefaults(taint, write.now()));
    }
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var spec = object.at("spec");
    DeviceNames.driver(spec.at("driver"));
    validatePool(spec.at("pool"));
    if (old != null) {
      var before = old.treeOrEmpty("spec");
      spec.at("pool").immutable(before.treeOrEmpty("pool"), "name");
      spec.immutable(before, "driver", "nodeName");
    }
    validateNodes(spec);
    if (spec.has("sharedCounters") && spec.has("devices")) {
      spec.invalid("", "only one of `sharedCounters` or `devices` is allowed");
    }
    validateDevices(spec.at("devices"), spec.flag("perDeviceNodeSelection"));
    Counters.shared(spec.at("sharedCounters"));
  }

  private static void validatePool(Cursor pool) {
    DeviceNames.pool(pool.at("name"));
    pool.at("resourceSliceCount").positive();
    var generation = pool.at("generation");
    if (generation.number() < 0) {
      generation.invalid("must be greater than or equal to zero");
    }
  }

  private static void validateNodes(Cursor spec) {
    var set = new ArrayList<String>();
    Devices.nodeName(spec.at("nodeName"), "must be either unset or set to a non-empty string", set);
    Devices.nodeSelector(spec.at("nodeSelector"), set);
    var terms = spec.at("nodeSelector").ifSet().at("nodeSelectorTerms");
    if (terms.list().size() != 1) {
      terms.invalid(
          terms.isSet() ? shown(terms.each()) : null, "must have exactly one node selector term");
    }
    Devices.onlyTrue(spec.at("allNodes"), set);
    Devices.onlyTrue(spec.at("perDeviceNodeSelection"), set);
    if (set.isEmpty()) {
      spec.missing(WHERE);
    } else if (set.size() > 1) {
      spec.invalid("{" + String.join(", ", set) + "}", WHERE + ", but multiple fields are set");
    }
  }

  private static List<Tree> shown(List<Cursor> terms) {
    return terms.stream().map(term -> GoStructs.NODE_SELECTOR_TERM.of(term.tree())).toList();
  }

  private static void validateDevices(Cursor devices, boolean choosesNodes) {
    boolean advanced =
        devices.each().stream()
            .anyMatch(device ->
                !device.at("taints").isEmpty() || !device.at("consumesCounters").isEmpty());
    int max = advanced ? MAX_ADVANCED_DEVICES : MAX_DEVICES;
    if (devices.atMostItems(max).list().size() > max) {
      return;
    }
    devices.each().forEach(device -> Devices.validate(device, choosesNodes));
    var seen = new HashSet<String>();
    for (var device : devices.each()) {
      if (!seen.add(device.text("name"))) {
        device.duplicate(device.text("name"));
      }
    }
  }

  @Override
  public List<String> warningsOnCreate(Tree object) {
    var driver = object.textOrEmpty("spec", "driver");
    return driver.equals(driver.toLowerCase(Locale.ROOT))
        ? List.of()
        : List.of(
            "spec.driver: driver names should be lowercase; \"%s\" contains uppercase characters"
                .formatted(driver));
  }

  @Override
  public List<String> warningsOnUpdate(Tree object, Tree old) {
    return warningsOnCreate(object);
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.nodeName", "spec.driver", "spec.pool.name");
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        object.textOrEmpty("spec", "nodeName"),
        object.textOrEmpty("spec", "driver"),
        object.textOrEmpty("spec", "pool", "name"),
        Cells.age(object, now));
  }
}
