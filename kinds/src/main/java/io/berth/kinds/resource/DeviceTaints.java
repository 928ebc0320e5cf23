package io.berth.kinds.resource;

import io.berth.api.Tree;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// What keeps claims away from a device, or drives their pods off.
///
/// Mirrors: resource/validation.validateDeviceTaint
final class DeviceTaints {

  private DeviceTaints() {}

  static void setDefaults(Tree taint, Instant now) {
    taint.putIfAbsent("timeAdded", time(now));
  }

  static String time(Instant now) {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static void validate(Cursor taint) {
    taint.at("key").follows(Names::qualifiedName);
    taint.at("value").follows(Names::labelValue);
    taint.at("effect").declared().oneOf();
  }
}
