package io.berth.workloads.sharing;

import io.berth.api.Tree;
import io.berth.workloads.submit.PodTemplate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What fair sharing asks of a pod of a workload.
public final class Pods {

  /// The pool a pod was admitted to, the node there, and the numbers of the devices it shares.
  static final String NODE_ANNOTATION = "berth.io/planned-node";

  static final String DEVICES_ANNOTATION = "berth.io/gpu-devices";

  private Pods() {}

  /// Whether it still waits for its turn.
  static boolean isGated(Tree pod) {
    return !isEnding(pod)
        && pod.trees("spec", "schedulingGates").stream()
            .anyMatch(gate -> gate.textOrEmpty("name").equals(PodTemplate.GATE));
  }

  static boolean isEnding(Tree pod) {
    return pod.text("metadata", "deletionTimestamp") != null;
  }

  static boolean isBound(Tree pod) {
    return !pod.textOrEmpty("spec", "nodeName").isEmpty();
  }

  static String key(Tree pod) {
    return namespace(pod) + "/" + name(pod);
  }

  static String namespace(Tree object) {
    return object.textOrEmpty("metadata", "namespace");
  }

  static String name(Tree object) {
    return object.textOrEmpty("metadata", "name");
  }

  static @Nullable String annotation(Tree pod, String name) {
    return pod.at("metadata", "annotations", name) instanceof String text ? text : null;
  }

  /// The devices it shares on its node.
  static List<Integer> devices(Tree pod) {
    var numbers = new ArrayList<Integer>();
    var text = isGated(pod) ? null : annotation(pod, DEVICES_ANNOTATION);
    // With kubectl anybody may write anything there.
    if (text != null && text.matches("[0-9]{1,4}(,[0-9]{1,4})*+")) {
      for (var number : text.split(",", -1)) {
        numbers.add(Integer.valueOf(number));
      }
    }
    return numbers;
  }

  /// Since when the scheduler has found no node for it, although it was admitted; or `null`.
  static @Nullable Instant unschedulableSince(Tree pod) {
    if (isGated(pod) || isEnding(pod) || isBound(pod)) {
      return null;
    }
    for (var condition : pod.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("PodScheduled")
          && condition.textOrEmpty("reason").equals("Unschedulable")
          && !condition.textOrEmpty("lastTransitionTime").isEmpty()) {
        return Instant.parse(condition.textOrEmpty("lastTransitionTime"));
      }
    }
    return null;
  }
}
