package io.berth.workloads.sharing;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.workloads.state.State;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Pods that hold the devices which others share.
///
/// A pod with a part of a device asks Kubernetes for no device, so for Kubernetes the device would
/// be free. From the first user to the last a reservation asks for it instead: one pod a device, on
/// its node, that does nothing.
final class Reservations {

  private static final String LABEL = "berth.io/reserved-device";
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

  /// Gives back the devices nobody shares any more.
  void release() {
    var used = used();
    for (var pod : state.table(Resource.PODS).all()) {
      boolean unused = isReservation(pod) && !used.contains(Pods.name(pod));
      if (unused && !Pods.isEnding(pod)) {
        state.table(Resource.PODS).delete(pod);
      }
    }
  }

  private Set<String> used() {
    var used = new HashSet<String>();
    for (var pod : state.table(Resource.PODS).all()) {
      var node = Pods.annotation(pod, Pods.NODE_ANNOTATION);
      if (node != null && !Pods.isOver(pod)) {
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
