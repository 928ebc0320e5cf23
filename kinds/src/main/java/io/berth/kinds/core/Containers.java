package io.berth.kinds.core;

import io.berth.kinds.meta.Cursor;
import java.util.ArrayList;
import java.util.List;

/// All containers of a pod, whatever their part in its life.
final class Containers {

  /// In the order in which Kubernetes visits them.
  static final List<String> LISTS = List.of("initContainers", "containers", "ephemeralContainers");

  private Containers() {}

  static List<Cursor> all(Cursor spec) {
    var all = new ArrayList<Cursor>();
    LISTS.forEach(list -> all.addAll(spec.each(list)));
    return all;
  }
}
