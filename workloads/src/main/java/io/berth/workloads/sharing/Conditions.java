package io.berth.workloads.sharing;

import io.berth.api.Tree;
import java.util.ArrayList;

/// The conditions in a workload's status.
final class Conditions {

  private Conditions() {}

  /// Sets one; its time is when its status changed last.
  static void put(
      Tree workload, String type, boolean holds, String reason, String message, String now) {
    var status = holds ? "True" : "False";
    var list = new ArrayList<Object>();
    var since = now;
    for (var each : workload.trees("status", "conditions")) {
      if (!each.textOrEmpty("type").equals(type)) {
        list.add(each);
      } else if (each.textOrEmpty("status").equals(status)) {
        since = each.textOrEmpty("lastTransitionTime");
      }
    }
    list.add(
        Tree.of(
            "type", type,
            "status", status,
            "reason", reason,
            "message", message,
            "lastTransitionTime", since));
    workload.child("status").put("conditions", list);
  }
}
