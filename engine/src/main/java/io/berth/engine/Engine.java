package io.berth.engine;

import io.berth.api.CsiNode;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.SelectorOwner;
import io.berth.api.StorageClass;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// The cluster as it is known, and decisions about it.
///
/// Every `put…` adds or replaces, every `remove…` of something unknown does nothing: events may be
/// repeated, and may come in any order. One thread owns an engine.
public final class Engine {

  public Engine(SchedulerConfiguration configuration, InstantSource clock, long seed) {}

  public void putNode(Node node) {}

  /// Pods on the node stay known and count again when a node of this name returns.
  public void removeNode(String name) {}

  /// A pod with `nodeName` runs; a pod without one, or a finished one, is not (or no longer) here.
  public void putPod(Pod pod) {}

  public void removePod(String namespace, String name) {}

  public void putNamespace(Namespace namespace) {}

  public void removeNamespace(String name) {}

  public void putBudget(PodDisruptionBudget budget) {}

  public void removeBudget(String namespace, String name) {}

  /// A Service, ReplicationController, ReplicaSet or StatefulSet.
  public void putOwner(SelectorOwner owner) {}

  public void removeOwner(String kind, String namespace, String name) {}

  public void putClaim(PersistentVolumeClaim claim) {}

  public void removeClaim(String namespace, String name) {}

  public void putVolume(PersistentVolume volume) {}

  public void removeVolume(String name) {}

  public void putStorageClass(StorageClass storageClass) {}

  public void removeStorageClass(String name) {}

  public void putCsiNode(CsiNode node) {}

  public void removeCsiNode(String name) {}

  /// Counts a decided pod as running on the node until [#putPod] confirms or [#forget] ends it.
  public void assume(Pod pod, String node) {}

  public void forget(String namespace, String name) {}

  /// A pending pod waits for the node; it counts for decisions about pods of its priority or lower.
  public void nominate(Pod pod, String node) {}

  public void unnominate(String namespace, String name) {}

  /// Where the pod goes, quickly.
  public Decision decide(Pod pod) {
    return new Decision.Failed("the engine is not built yet");
  }

  /// The same decision with everything behind it; paid for only when asked.
  public Examination examine(Pod pod) {
    return new Examination(
        decide(pod),
        null,
        null,
        false,
        Map.of(),
        List.of(),
        Map.of(),
        new long[0],
        List.of(),
        "the engine is not built yet",
        null,
        null,
        null);
  }
}
