package io.berth.controllers.node;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Taints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The taints that the control plane derives from a node's conditions.
final class NodeTaints {

  private static final Map<String, String> PRESSURES =
      Map.of(
          "MemoryPressure", Taints.MEMORY_PRESSURE,
          "DiskPressure", Taints.DISK_PRESSURE,
          "PIDPressure", Taints.PID_PRESSURE,
          "NetworkUnavailable", Taints.NETWORK_UNAVAILABLE);
  private static final Set<String> OURS =
      Set.of(
          Taints.NOT_READY,
          Taints.UNREACHABLE,
          Taints.UNSCHEDULABLE,
          Taints.MEMORY_PRESSURE,
          Taints.DISK_PRESSURE,
          Taints.PID_PRESSURE,
          Taints.NETWORK_UNAVAILABLE);

  private NodeTaints() {}

  /// `True`, `False` or `Unknown`; a node that never said anything is `Unknown`.
  static String ready(Tree node) {
    var ready = Conditions.find(node, "Ready");
    return ready == null ? "Unknown" : ready.textOrEmpty("status");
  }

  /// The node's taints with exactly the NoSchedule ones that its conditions ask for.
  static List<Tree> noSchedule(Tree node, String now) {
    var wanted = new ArrayList<String>();
    var ready = Conditions.find(node, "Ready");
    if (ready != null) {
      switch (ready.textOrEmpty("status")) {
        case "False" -> wanted.add(Taints.NOT_READY);
        case "Unknown" -> wanted.add(Taints.UNREACHABLE);
        default -> {}
      }
    } else if (Taints.has(node, Taints.NOT_READY, "NoSchedule")) {
      wanted.add(Taints.NOT_READY); // Set at creation, until the kubelet reports.
    }
    PRESSURES.forEach((condition, taint) -> {
      if (Conditions.isTrue(node, condition)) {
        wanted.add(taint);
      }
    });
    if (node.flag("spec", "unschedulable")) {
      wanted.add(Taints.UNSCHEDULABLE);
    }
    var taints = new ArrayList<Tree>();
    for (var taint : Taints.of(node)) {
      var key = taint.textOrEmpty("key");
      var derived = taint.textOrEmpty("effect").equals("NoSchedule") && OURS.contains(key);
      if (!derived || wanted.remove(key)) {
        taints.add(taint);
      }
    }
    wanted.stream()
        .sorted()
        .forEach(key -> taints.add(Tree.of("key", key, "effect", "NoSchedule", "timeAdded", now)));
    return taints;
  }

  /// `taints` with the NoExecute taint of a silent or unready node, or with neither of the two.
  static List<Tree> withNoExecute(List<Tree> taints, String ready, String now) {
    var key =
        switch (ready) {
          case "False" -> Taints.NOT_READY;
          case "Unknown" -> Taints.UNREACHABLE;
          default -> "";
        };
    var result = new ArrayList<Tree>();
    var found = false;
    for (var taint : taints) {
      var taintKey = taint.textOrEmpty("key");
      var derived =
          Taints.isNoExecute(taint)
              && (taintKey.equals(Taints.NOT_READY) || taintKey.equals(Taints.UNREACHABLE));
      if (!derived) {
        result.add(taint);
      } else if (taintKey.equals(key)) {
        result.add(taint);
        found = true;
      }
    }
    if (!key.isEmpty() && !found) {
      result.add(Tree.of("key", key, "effect", "NoExecute", "timeAdded", now));
    }
    return result;
  }
}
