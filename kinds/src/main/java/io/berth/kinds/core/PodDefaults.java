package io.berth.kinds.core;

import io.berth.api.Tree;
import java.util.List;

/// What is filled in for pods only, not for templates.
///
/// Mirrors: core/v1.SetDefaults_Pod
final class PodDefaults {

  private PodDefaults() {}

  static void apply(Tree pod) {
    var spec = pod.child("spec");
    if (spec.number(0, "terminationGracePeriodSeconds") < 0) {
      spec.put("terminationGracePeriodSeconds", 1);
    }
    spec.trees("containers").forEach(PodDefaults::requestWhatIsLimited);
    spec.trees("initContainers").forEach(PodDefaults::requestWhatIsLimited);
    spec.putIfAbsent("enableServiceLinks", true);
    if (spec.flag("hostNetwork")) {
      spec.trees("containers").forEach(PodDefaults::hostPorts);
      spec.trees("initContainers").forEach(PodDefaults::hostPorts);
    }
    PodSpecDefaults.apply(spec);
    addresses(pod.child("status"));
  }

  private static void requestWhatIsLimited(Tree container) {
    var limits = container.tree("resources", "limits");
    if (limits != null && !limits.isEmpty()) {
      var requests = container.child("resources").child("requests");
      limits.fields().forEach(requests::putIfAbsent);
    }
  }

  private static void hostPorts(Tree container) {
    for (var port : container.trees("ports")) {
      if (port.number(0, "hostPort") == 0 && port.has("containerPort")) {
        port.put("hostPort", port.get("containerPort"));
      }
    }
  }

  // The single address is the older field and wins where the two disagree.
  private static void addresses(Tree status) {
    var first = status.textOrEmpty("podIP");
    var all = status.trees("podIPs");
    if (!first.isEmpty() && (all.isEmpty() || !all.getFirst().textOrEmpty("ip").equals(first))) {
      status.putAt(List.of(Tree.of("ip", first)), "podIPs");
    } else if (first.isEmpty() && !all.isEmpty()) {
      status.put("podIP", all.getFirst().text("ip"));
    }
  }
}
