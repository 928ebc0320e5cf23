package io.berth.kinds.scheduling;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `scheduling.k8s.io/v1 priorityclasses`
///
/// Mirrors: registry/scheduling/priorityclass.priorityClassStrategy,
/// scheduling/validation.ValidatePriorityClass
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
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    var name = object.at("metadata", "name");
    if (name.text().startsWith(SYSTEM_PREFIX)) {
      validateSystemClass(object, name);
    } else if (object.number("value") > HIGHEST_OF_USERS) {
      object
          .at("value")
          .forbidden("maximum allowed value of a user defined priority is " + HIGHEST_OF_USERS);
    }
    object.at("preemptionPolicy").ifSet().oneOf(POLICIES);
  }

  /// The system's own classes may be made again, exactly as they are.
  private static void validateSystemClass(Cursor object, Cursor name) {
    var known = SYSTEM.get(name.text());
    String why = null;
    if (known == null) {
      why = name.text() + " is not a known system priority class";
    } else if (known != object.number("value")) {
      why = "value of %s PriorityClass must be %d".formatted(name.text(), known);
    } else if (object.flag("globalDefault")) {
      why = "globalDefault of %s PriorityClass must be false".formatted(name.text());
    }
    if (why != null) {
      name.forbidden(
          "priority class names with '%s' prefix are reserved for system use only. error: %s"
              .formatted(SYSTEM_PREFIX, why));
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    if (object.number("value") != old.number(0, "value")) {
      object.at("value").forbidden("may not be changed in an update.");
    }
    object.immutable(old, "preemptionPolicy");
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
