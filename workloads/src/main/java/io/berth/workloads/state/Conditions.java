package io.berth.workloads.state;

import io.berth.api.Tree;
import java.util.ArrayList;

/// The conditions in a status.
public final class Conditions {

  private Conditions() {}

  /// Sets one; its time is when its status changed last.
  public static void put(
      Tree object, String type, boolean holds, String reason, String message, String now) {
    var status = holds ? "True" : "False";
    var list = new ArrayList<Object>();
    var since = now;
    for (var each : object.trees("status", "conditions")) {
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
    object.child("status").put("conditions", list);
  }

  /// What a condition that does not hold says; `""` when it holds or is not there.
  public static String refusal(Tree object, String type) {
    for (var each : object.trees("status", "conditions")) {
      if (each.textOrEmpty("type").equals(type) && each.textOrEmpty("status").equals("False")) {
        return each.textOrEmpty("message");
      }
    }
    return "";
  }
}
