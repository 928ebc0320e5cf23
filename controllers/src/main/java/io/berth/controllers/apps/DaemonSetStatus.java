package io.berth.controllers.apps;

import io.berth.api.Tree;
import io.berth.controllers.runtime.Meta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The status of a DaemonSet, counted node by node.
final class DaemonSetStatus {

  private static final List<String> ALWAYS =
      List.of(
          "currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady");

  private final Map<String, Long> counts = new HashMap<>();

  /// A node that shall have a pod.
  void desired() {
    count("desiredNumberScheduled");
  }

  /// A pod on a node that shall have none.
  void misscheduled() {
    count("numberMisscheduled");
  }

  /// The pod of a node that shall have one.
  void scheduled(boolean ready, boolean available, boolean newest) {
    count("currentNumberScheduled");
    if (ready) {
      count("numberReady");
    }
    if (available) {
      count("numberAvailable");
    }
    if (newest) {
      count("updatedNumberScheduled");
    }
  }

  private void count(String field) {
    counts.merge(field, 1L, Long::sum);
  }

  /// What is to be written; `observed` says that the newest generation was acted on.
  Tree of(Tree set, boolean observed) {
    var status = set.treeOrEmpty("status").copy();
    ALWAYS.forEach(field -> status.put(field, number(field)));
    if (observed) {
      status.put("observedGeneration", Meta.generation(set));
    }
    put(status, "updatedNumberScheduled", number("updatedNumberScheduled"));
    put(status, "numberAvailable", number("numberAvailable"));
    put(status, "numberUnavailable", number("desiredNumberScheduled") - number("numberAvailable"));
    return status;
  }

  private long number(String field) {
    return counts.getOrDefault(field, 0L);
  }

  private static void put(Tree status, String field, long count) {
    if (count == 0) {
      status.remove(field);
    } else {
      status.put(field, count);
    }
  }
}
