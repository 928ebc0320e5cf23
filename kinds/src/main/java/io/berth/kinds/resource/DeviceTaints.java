package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/// What keeps claims away from a device, or drives their pods off.
final class DeviceTaints {

  static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "None");

  private DeviceTaints() {}

  static void setDefaults(Tree taint, Instant now) {
    taint.putIfAbsent("timeAdded", time(now));
  }

  static String time(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static void validate(FieldPath path, Tree taint, FieldErrors errors) {
    Checks.qualifiedName(path.child("key"), taint.textOrEmpty("key"), errors);
    var value = taint.textOrEmpty("value");
    Checks.complaints(path.child("value"), value, Names.labelValue(value), errors);
    Checks.oneOf(path.child("effect"), taint.textOrEmpty("effect"), EFFECTS, errors.declared());
  }
}
