package io.berth.workloads.sharing;

import io.berth.api.ApiException;
import io.berth.api.PodPhase;
import io.berth.api.Quantity;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.state.State;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Pods that hold the devices which others share.
///
/// A pod with a part of a device asks Kubernetes for no device, so for Kubernetes the device would
/// be free. From the first user to the last a reservation asks for it instead: one pod a device, on
/// its node, that does nothing.
final class Reservations {

  private static final String LABEL = "berth.io/reserved-device";
  private static final Logger log = LoggerFactory.getLogger(Reservations.class);
  private static final String PREFIX = "gpu-reservation-";

  private final State state;

  Reservations(State state) {
    this.state = state;
  }

  static boolean isReservation(Tree pod) {
    return pod.at("metadata", "labels", LABEL) != null;
  }

  /// Before a pod may use a device. Harmless if it is reserved already.
  void ensure(String node, List<Integer> devices) {
    for (int device : devices) {
      var name = name(node, device);
      if (state.table(Resource.PODS).find(State.NAMESPACE, name).isEmpty()) {
        state.table(Resource.PODS).create(reservation(name, node, device));
      }
    }
  }

  /// Gives back the devices nobody shares any more, and what came to its end and holds none.
  void release() {
    var used = used();
    for (var pod : state.table(Resource.PODS).all()) {
      boolean unused = isReservation(pod) && (!used.contains(Pods.name(pod)) || isSpent(pod));
      if (unused && !Pods.isEnding(pod)) {
        state.table(Resource.PODS).delete(pod);
      }
    }
  }

  // One that fails again and again is not made more often than this.
  private boolean isSpent(Tree pod) {
    var made = Entitlements.createdAt(pod);
    return PodPhase.isTerminal(pod)
        && !made.plus(Evictions.PATIENCE).isAfter(state.times().instant());
  }

  /// Makes those again that are gone while workloads use their devices.
  void restore() {
    for (var workload : state.workloads()) {
      for (var pod : state.podsOf(workload)) {
        if (!PodPhase.isTerminal(pod) && !Pods.isEnding(pod) && !Pods.devices(pod).isEmpty()) {
          state
              .table(Resource.NODES)
              .find("", pod.textOrEmpty("spec", "nodeName"))
              .ifPresent(node -> restore(node, Pods.devices(pod)));
        }
      }
    }
  }

  // With kubectl anybody may write any number into a pod: only devices that are there count.
  private void restore(Tree node, List<Integer> devices) {
    var count = node.textOrEmpty("status", "allocatable", "nvidia.com/gpu");
    long there = count.isEmpty() ? 0 : Quantity.parse(count).value();
    try {
      ensure(Pods.name(node), devices.stream().filter(device -> device < there).toList());
    } catch (ApiException e) {
      log.warn("devices {} of {} are not reserved: {}", devices, Pods.name(node), e.getMessage());
    }
  }

  private Set<String> used() {
    var used = new HashSet<String>();
    for (var pod : state.table(Resource.PODS).all()) {
      var node = Pods.annotation(pod, Pods.NODE_ANNOTATION);
      if (node != null && !PodPhase.isTerminal(pod)) {
        Pods.devices(pod).forEach(device -> used.add(name(node, device)));
      }
    }
    return used;
  }

  private static String name(String node, int device) {
    return "%s%s-%d".formatted(PREFIX, node, device);
  }

  private static Tree reservation(String name, String node, int device) {
    var one = Tree.of("nvidia.com/gpu", "1");
    return Tree.of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        Tree.of(
            "name",
            name,
            "namespace",
            State.NAMESPACE,
            "labels",
            Tree.of(LABEL, Integer.toString(device))),
        "spec",
        Tree.of(
            "nodeName",
            node,
            "terminationGracePeriodSeconds",
            0,
            "tolerations",
            List.of(Tree.of("operator", "Exists")),
            "containers",
            List.of(
                Tree.of(
                    "name",
                    "reservation",
                    "image",
                    "registry.k8s.io/pause:3.10",
                    "resources",
                    Tree.of("requests", one, "limits", one.copy())))));
  }
}
