package io.berth.kinds.resource;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.util.List;

/// Counters that the devices of a slice share, and what each device takes of them.
final class Counters {

  private static final int MAX_SETS = 8;
  private static final int MAX_CONSUMPTIONS = 2;
  private static final int MAX_COUNTERS = 32;

  private Counters() {}

  static void shared(FieldPath path, List<Tree> sets, FieldErrors errors) {
    sets(path, sets, "name", MAX_SETS, errors);
  }

  static void consumed(FieldPath path, List<Tree> consumptions, FieldErrors errors) {
    sets(path, consumptions, "counterSet", MAX_CONSUMPTIONS, errors);
  }

  private static void sets(
      FieldPath path, List<Tree> sets, String name, int max, FieldErrors errors) {
    if (DeviceClaims.tooMany(path, sets, max, errors)) {
      return;
    }
    DeviceClaims.unique(path, sets, name, errors);
    for (int i = 0; i < sets.size(); i++) {
      set(path.index(i), sets.get(i), name, errors);
    }
  }

  private static void set(FieldPath path, Tree set, String name, FieldErrors errors) {
    var declared = errors.declared();
    if (Checks.required(path.child(name), set.textOrEmpty(name), declared)) {
      label(path.child(name), set.textOrEmpty(name), declared);
    }
    var counters = set.treeOrEmpty("counters").names();
    var at = path.child("counters");
    if (counters.isEmpty()) {
      declared.required(at);
    }
    if (counters.size() > MAX_COUNTERS) {
      errors.tooMany(at, counters.size(), MAX_COUNTERS);
    }
    counters.forEach(counter -> label(at, counter, declared));
  }

  private static void label(FieldPath path, String name, FieldErrors errors) {
    Checks.complaints(path, name, Names.dnsLabelInBytes(name), errors);
  }
}
