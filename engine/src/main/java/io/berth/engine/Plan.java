package io.berth.engine;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.Pod;
import java.util.List;
import java.util.Set;

/// A transaction over the engine: change what is known, ask, and take it all back or keep it.
///
/// Obtained from [Engine#plan()]; one at a time. Nothing a plan does is visible outside the engine
/// before [#commit()], and [#close()] without commit leaves the engine as it was.
public interface Plan extends AutoCloseable {

  /// Where the pod would go now, with everything the plan has done so far.
  Decision decide(Pod pod);

  /// Whether the node would take the pod now.
  boolean fits(Pod pod, String node);

  /// Whether nothing but the node itself and the pods on it decides if a node takes the pod.
  boolean isDecidedByNodesAlone(Pod pod);

  /// Those of the running pods, `namespace/name`, whose eviction in this order would exceed a
  /// disruption budget.
  Set<String> exceedingBudgets(List<String> pods);

  /// Adds or replaces an object of any kind, as [Engine#put] does.
  void put(ClusterObject object);

  /// Counts an object as gone, as [Engine#remove] does; one that is unknown changes nothing.
  void remove(ObjectReference reference);

  /// Counts the pod as running on the node, with what its claims get there.
  void place(Pod pod, String node);

  /// Counts a running pod as gone. Returns whether it was there.
  boolean evict(String namespace, String name);

  /// Decides and places all pods in order, or none of them.
  ///
  /// Returns one decision a pod; if the last one is no placement, nothing was placed.
  List<Decision> placeAll(List<Pod> pods);

  /// A mark to roll back to.
  int checkpoint();

  void rollback(int checkpoint);

  /// Keeps what was done; the plan is over.
  void commit();

  /// Undoes what was not committed; the plan is over.
  @Override
  void close();
}
