package io.berth.engine.model;

import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Surrounding;
import org.jspecify.annotations.Nullable;

/// How to take back what is done to one object next.
///
/// Changes are taken back the last one first, none left out; the model then answers as if there had
/// been none.
public sealed interface Undo {

  /// To be asked for before the change.
  static Undo of(ObjectReference reference, ClusterModel cluster) {
    return reference.kind().equals(Pod.KIND)
        ? ofPod(reference, cluster)
        : ofSurrounding(reference, cluster);
  }

  private static Undo ofPod(ObjectReference reference, ClusterModel cluster) {
    var pod = cluster.findPod(reference.namespace(), reference.name());
    return pod == null
        ? new OfPod(reference, null, false, 0)
        : new OfPod(reference, pod, pod.assumed, pod.startNanos);
  }

  private static Undo ofSurrounding(ObjectReference reference, ClusterModel cluster) {
    var nodes = cluster.nodes();
    int node = reference.kind().equals(Node.KIND) ? nodes.find(reference.name()) : -1;
    return new OfSurrounding(
        reference, cluster.find(reference), node < 0 ? 0 : nodes.order(node), nodes.sequence());
  }

  void run(ClusterModel cluster);

  /// A pod as it ran, with what may change of it while it does.
  record OfPod(
      ObjectReference reference, @Nullable RunningPod before, boolean assumed, long startNanos)
      implements Undo {

    @Override
    public void run(ClusterModel cluster) {
      cluster.remove(reference);
      if (before != null) {
        before.assumed = assumed;
        before.startNanos = startNanos;
        cluster.restore(before);
      }
    }
  }

  /// An object as it was put. A node that returns takes its old place in the order of nodes.
  record OfSurrounding(
      ObjectReference reference, @Nullable Surrounding before, int order, int sequence)
      implements Undo {

    @Override
    public void run(ClusterModel cluster) {
      cluster.nodes().continueWith(order);
      if (before == null) {
        cluster.remove(reference);
      } else {
        cluster.put(before);
      }
      cluster.nodes().continueWith(sequence);
    }
  }

  /// All reservations of volumes as they were.
  record OfReservations(Volumes.Reserved before) implements Undo {

    @Override
    public void run(ClusterModel cluster) {
      cluster.volumes().restore(before);
    }
  }
}
