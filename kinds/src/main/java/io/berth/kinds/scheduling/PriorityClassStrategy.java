package io.berth.kinds.scheduling;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `scheduling.k8s.io/v1 priorityclasses`
public final class PriorityClassStrategy extends PlainStrategy {

  private static final long HIGHEST_OF_USERS = 1_000_000_000;
  private static final String SYSTEM_PREFIX = "system-";
  private static final Map<String, Long> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);
  private static final List<String> POLICIES = List.of("PreemptLowerPriority", "Never");

  public PriorityClassStrategy() {
    super(Resource.PRIORITY_CLASSES);
  }

  @Override
  public void setDefaults(Tree object) {
    object.putIfAbsent("preemptionPolicy", "PreemptLowerPriority");
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    Fields.firstGeneration(object);
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    var name = object.textOrEmpty("metadata", "name");
    long value = object.number(0, "value");
    if (name.startsWith(SYSTEM_PREFIX)) {
      validateSystemClass(object, name, value, errors);
    } else if (value > HIGHEST_OF_USERS) {
      errors.forbidden(
          FieldPath.of("value"),
          "maximum allowed value of a user defined priority is " + HIGHEST_OF_USERS);
    }
    var policy = object.text("preemptionPolicy");
    if (policy != null) {
      Checks.oneOf(FieldPath.of("preemptionPolicy"), policy, POLICIES, errors);
    }
  }

  /// The system's own classes may be made again, exactly as they are.
  private static void validateSystemClass(
      Tree object, String name, long value, FieldErrors errors) {
    var known = SYSTEM.get(name);
    String why = null;
    if (known == null) {
      why = name + " is not a known system priority class";
    } else if (known != value) {
      why = "value of %s PriorityClass must be %d".formatted(name, known);
    } else if (object.flag("globalDefault")) {
      why = "globalDefault of %s PriorityClass must be false".formatted(name);
    }
    if (why != null) {
      errors.forbidden(
          FieldPath.of("metadata", "name"),
          "priority class names with '%s' prefix are reserved for system use only. error: %s"
              .formatted(SYSTEM_PREFIX, why));
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    if (object.number(0, "value") != old.number(0, "value")) {
      errors.forbidden(FieldPath.of("value"), "may not be changed in an update.");
    }
    Checks.immutable(
        FieldPath.of("preemptionPolicy"),
        object.get("preemptionPolicy"),
        old.get("preemptionPolicy"),
        errors);
  }

  @Override
  public @Nullable String whyUndeletable(String name) {
    return SYSTEM.containsKey(name)
        ? "this is a system priority class and cannot be deleted"
        : null;
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object),
        object.number(0, "value"),
        object.flag("globalDefault"),
        Cells.age(object, now),
        object.textOrEmpty("preemptionPolicy"));
  }
}
