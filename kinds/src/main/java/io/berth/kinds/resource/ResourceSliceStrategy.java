package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.core.GoStructs;
import io.berth.kinds.meta.Checks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 resourceslices`: devices that a driver offers, or counters they share.
public final class ResourceSliceStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
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
    Fields.firstGeneration(object);
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    prepare(object, write);
    Fields.countGeneration(object, old, "spec");
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
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    validateSpec(object.treeOrEmpty("spec"), null, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    validateSpec(object.treeOrEmpty("spec"), old.treeOrEmpty("spec"), errors);
  }

  private static void validateSpec(Tree spec, @Nullable Tree old, FieldErrors errors) {
    DeviceNames.driver(SPEC.child("driver"), spec.textOrEmpty("driver"), errors);
    validatePool(spec.treeOrEmpty("pool"), errors);
    if (old != null) {
      immutable(spec, old, errors, "pool", "name");
      immutable(spec, old, errors, "driver");
      immutable(spec, old, errors, "nodeName");
    }
    validateNodes(spec, errors);
    if (spec.get("sharedCounters") != null && spec.get("devices") != null) {
      errors.invalid(SPEC, "", "only one of `sharedCounters` or `devices` is allowed");
    }
    validateDevices(spec, errors);
    Counters.shared(SPEC.child("sharedCounters"), spec.trees("sharedCounters"), errors);
  }

  private static void validatePool(Tree pool, FieldErrors errors) {
    var path = SPEC.child("pool");
    DeviceNames.pool(path.child("name"), pool.textOrEmpty("name"), errors);
    Checks.positive(path.child("resourceSliceCount"), pool.number(0, "resourceSliceCount"), errors);
    long generation = pool.number(0, "generation");
    if (generation < 0) {
      errors.invalid(path.child("generation"), generation, "must be greater than or equal to zero");
    }
  }

  private static void immutable(Tree spec, Tree old, FieldErrors errors, String... path) {
    Checks.immutable(SPEC.child(path), spec.text(path), old.text(path), errors);
  }

  private static void validateNodes(Tree spec, FieldErrors errors) {
    var set = new ArrayList<String>();
    Devices.nodeName(SPEC, spec, "must be either unset or set to a non-empty string", set, errors);
    Devices.nodeSelector(SPEC, spec, set, errors);
    var terms = spec.trees("nodeSelector", "nodeSelectorTerms");
    if (spec.get("nodeSelector") != null && terms.size() != 1) {
      errors.invalid(
          SPEC.child("nodeSelector", "nodeSelectorTerms"),
          spec.at("nodeSelector", "nodeSelectorTerms") == null ? null : shown(terms),
          "must have exactly one node selector term");
    }
    Devices.onlyTrue(SPEC, spec, "allNodes", set, errors);
    Devices.onlyTrue(SPEC, spec, "perDeviceNodeSelection", set, errors);
    if (set.isEmpty()) {
      errors.required(SPEC, WHERE);
    } else if (set.size() > 1) {
      errors.invalid(
          SPEC, "{" + String.join(", ", set) + "}", WHERE + ", but multiple fields are set");
    }
  }

  private static List<Tree> shown(List<Tree> terms) {
    return terms.stream().map(GoStructs.NODE_SELECTOR_TERM::of).toList();
  }

  private static void validateDevices(Tree spec, FieldErrors errors) {
    var devices = spec.trees("devices");
    var path = SPEC.child("devices");
    boolean advanced =
        devices.stream()
            .anyMatch(device ->
                !device.list("taints").isEmpty() || !device.list("consumesCounters").isEmpty());
    int max = advanced ? MAX_ADVANCED_DEVICES : MAX_DEVICES;
    if (devices.size() > max) {
      errors.tooMany(path, devices.size(), max);
      return;
    }
    var seen = new HashSet<String>();
    for (int i = 0; i < devices.size(); i++) {
      Devices.validate(path.index(i), devices.get(i), spec.flag("perDeviceNodeSelection"), errors);
    }
    for (int i = 0; i < devices.size(); i++) {
      var name = devices.get(i).textOrEmpty("name");
      if (!seen.add(name)) {
        errors.duplicate(path.index(i), name);
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
