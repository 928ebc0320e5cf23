package io.berth.answers.plan;

import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.PodReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A pod of an imagined cluster, and which pod of the real one it is or stands for.
///
/// @param lineage the same for a pod and those made in its place
/// @param first the pod of this lineage that there was at the beginning, `null` if there was none
/// @param owner where a change of it has to be made to last
record Resident(
    int lineage, @Nullable Pod first, ObjectReference owner, Pod pod, Tree tree, boolean leftOver) {

  private static final List<String> FROM_ITS_NODE =
      List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

  String key() {
    return pod.key();
  }

  String node() {
    return pod.nodeName();
  }

  boolean isWaiting() {
    return pod.nodeName().isEmpty();
  }

  /// The kind of who made it, `""` if nobody did.
  String madeBy() {
    return pod.controller() == null ? "" : pod.controller().kind();
  }

  boolean isDaemon() {
    return madeBy().equals("DaemonSet");
  }

  /// Whether somebody makes another when it goes. Daemons go with their node, and static pods
  /// belong to it.
  boolean isRemade() {
    return !madeBy().isEmpty() && !isDaemon() && !madeBy().equals("Node");
  }

  Resident on(String node) {
    return new Resident(lineage, first, owner, pod.withNodeName(node), tree, leftOver);
  }

  /// On its way out, and no longer counted as one of its kind.
  Resident ending() {
    var ending = tree.copy();
    ending.child("metadata").put("deletionTimestamp", "1970-01-01T00:00:00Z");
    ending.child("spec").put("nodeName", node());
    return new Resident(lineage, first, owner, PodReader.read(ending), ending, true);
  }

  /// Another of its kind that waits for a node.
  Resident another(String name, int newLineage) {
    var another = waiting(name);
    return new Resident(newLineage, null, owner, PodReader.read(another), another, false);
  }

  /// The one that is made in its place.
  Resident remade(String name) {
    var again = waiting(name);
    return new Resident(lineage, first, owner, PodReader.read(again), again, false);
  }

  private Tree waiting(String name) {
    var waiting = tree.copy();
    var meta = waiting.child("metadata");
    meta.remove("deletionTimestamp");
    meta.put("name", name).put("uid", pod.namespace() + "/" + name);
    if (!node().isEmpty() && meta.get("labels") instanceof Tree labels) {
      FROM_ITS_NODE.forEach(labels::remove);
    }
    waiting.child("spec").remove("nodeName");
    waiting.remove("status");
    return waiting;
  }
}
