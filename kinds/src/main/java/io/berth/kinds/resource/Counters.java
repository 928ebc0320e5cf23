package io.berth.kinds.resource;

import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;

/// Counters that the devices of a slice share, and what each device takes of them.
///
/// Mirrors: resource/validation.validateCounterSet, validateDeviceCounterConsumption
final class Counters {

  private static final int MAX_SETS = 8;
  private static final int MAX_CONSUMPTIONS = 2;
  private static final int MAX_COUNTERS = 32;

  private Counters() {}

  static void shared(Cursor sets) {
    validate(sets, "name", MAX_SETS);
  }

  static void consumed(Cursor consumptions) {
    validate(consumptions, "counterSet", MAX_CONSUMPTIONS);
  }

  private static void validate(Cursor sets, String name, int max) {
    if (!DeviceClaims.tooMany(sets, max)) {
      DeviceClaims.unique(sets, name);
      sets.each().forEach(set -> validateOne(set, name));
    }
  }

  private static void validateOne(Cursor set, String name) {
    set.at(name).declared().required().follows(Names::dnsLabelInBytes);
    var counters = set.at("counters");
    var names = counters.tree().names();
    if (names.isEmpty()) {
      counters.declared().missing();
    }
    if (names.size() > MAX_COUNTERS) {
      counters.errors().tooMany(counters.path(), names.size(), MAX_COUNTERS);
    }
    names.forEach(counter -> counters.declared().with(counter).follows(Names::dnsLabelInBytes));
  }
}
