package io.berth.scheduler;

import io.berth.api.CsiNode;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.SelectorOwner;
import io.berth.api.StorageClass;
import io.berth.engine.Engine;
import io.berth.scheduler.ClusterEvent.Kind;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Keeps engine and queue in step with what happens, and wakes whom it helps. Owned by the loop's
/// thread.
final class World implements Intake {

  private final Engine engine;
  private final SchedulingQueue queue;
  private final Set<String> schedulerNames;
  private final java.util.function.LongSupplier now;
  private final Map<String, Pod> assigned = new HashMap<>();
  private final Map<String, Node> nodes = new HashMap<>();
  private final Map<String, String> assumed = new HashMap<>();
  private final Map<String, Map<String, String>> namespaceLabels;

  World(
      Engine engine,
      SchedulingQueue queue,
      Set<String> schedulerNames,
      Map<String, Map<String, String>> namespaceLabels,
      java.util.function.LongSupplier now) {
    this.engine = engine;
    this.queue = queue;
    this.schedulerNames = Set.copyOf(schedulerNames);
    this.namespaceLabels = namespaceLabels;
    this.now = now;
  }

  /// A pod that was decided about: it counts on the node until the API confirms or refuses.
  void assume(Pod pod, String node) {
    engine.assume(pod, node);
    assumed.put(pod.key(), pod.uid());
  }

  boolean isAssumed(Pod pod) {
    return pod.uid().equals(assumed.get(pod.key()));
  }

  /// The bind failed: the place is free again, which may help others.
  void forget(Pod pod) {
    if (assumed.remove(pod.key(), pod.uid())) {
      engine.forget(pod.namespace(), pod.name());
      wake(ClusterEvent.pod(Kind.ASSIGNED_POD_DELETE, pod.withNodeName("?"), null));
    }
  }

  int nodeCount() {
    return nodes.size();
  }

  int podCount() {
    return assigned.size() + assumed.size();
  }

  int assumedCount() {
    return assumed.size();
  }

  @Nullable Pod running(String key) {
    return assigned.get(key);
  }

  @Override
  public void putPod(Pod pod) {
    if (pod.isFinished()) {
      removePod(pod.namespace(), pod.name());
    } else if (pod.nodeName().isEmpty()) {
      putPending(pod);
    } else {
      putRunning(pod);
    }
  }

  private void putPending(Pod pod) {
    if (!schedulerNames.contains(pod.spec().schedulerName())) {
      return;
    }
    if (isAssumed(pod)) {
      if (pod.terminating()) {
        removePod(pod.namespace(), pod.name());
      }
      return;
    }
    if (pod.terminating()) {
      queue.remove(pod.key());
      engine.unnominate(pod.namespace(), pod.name());
      return;
    }
    var nominated = pod.status().nominatedNodeName();
    if (!nominated.isEmpty()) {
      engine.nominate(pod, nominated);
    }
    queue.put(pod, now.getAsLong());
  }

  private void putRunning(Pod pod) {
    queue.remove(pod.key());
    assumed.remove(pod.key());
    engine.unnominate(pod.namespace(), pod.name());
    var before = assigned.put(pod.key(), pod);
    engine.putPod(pod);
    if (before == null || !before.uid().equals(pod.uid())) {
      wake(ClusterEvent.pod(Kind.ASSIGNED_POD_ADD, null, pod));
    } else {
      Changes.ofAssigned(before, pod).forEach(this::wake);
    }
  }

  @Override
  public void removePod(String namespace, String name) {
    var key = namespace + "/" + name;
    var waiting = queue.find(key);
    queue.remove(key);
    engine.unnominate(namespace, name);
    var before = assigned.remove(key);
    boolean wasAssumed = assumed.remove(key) != null;
    if (before != null || wasAssumed) {
      engine.removePod(namespace, name);
    }
    if (before != null) {
      wake(ClusterEvent.pod(Kind.ASSIGNED_POD_DELETE, before, null));
    } else {
      // A promised node is free again.
      waiting
          .map(PendingPod::pod)
          .filter(pod -> !pod.status().nominatedNodeName().isEmpty())
          .ifPresent(pod -> wake(ClusterEvent.pod(Kind.ASSIGNED_POD_DELETE, pod, null)));
    }
  }

  @Override
  public void putNode(Node node) {
    var before = nodes.put(node.name(), node);
    if (node.equals(before)) {
      return;
    }
    engine.putNode(node);
    if (before == null) {
      wake(ClusterEvent.node(Kind.NODE_ADD, null, node));
    } else {
      Changes.ofNode(before, node).forEach(this::wake);
    }
  }

  @Override
  public void removeNode(String name) {
    var before = nodes.remove(name);
    if (before != null) {
      engine.removeNode(name);
      wake(ClusterEvent.node(Kind.NODE_DELETE, before, null));
    }
  }

  @Override
  public void putNamespace(Namespace namespace) {
    namespaceLabels.put(namespace.name(), namespace.labels());
    engine.putNamespace(namespace);
  }

  @Override
  public void removeNamespace(String name) {
    namespaceLabels.remove(name);
    engine.removeNamespace(name);
  }

  @Override
  public void putBudget(PodDisruptionBudget budget) {
    engine.putBudget(budget);
  }

  @Override
  public void removeBudget(String namespace, String name) {
    engine.removeBudget(namespace, name);
  }

  @Override
  public void putOwner(SelectorOwner owner) {
    engine.putOwner(owner);
  }

  @Override
  public void removeOwner(String kind, String namespace, String name) {
    engine.removeOwner(kind, namespace, name);
  }

  @Override
  public void putClaim(PersistentVolumeClaim claim) {
    engine.putClaim(claim);
    wake(ClusterEvent.other(Kind.PERSISTENT_VOLUME_CLAIM, claim.namespace() + "/" + claim.name()));
  }

  @Override
  public void removeClaim(String namespace, String name) {
    engine.removeClaim(namespace, name);
  }

  @Override
  public void putVolume(PersistentVolume volume) {
    engine.putVolume(volume);
    wake(ClusterEvent.other(Kind.PERSISTENT_VOLUME, volume.name()));
  }

  @Override
  public void removeVolume(String name) {
    engine.removeVolume(name);
  }

  @Override
  public void putStorageClass(StorageClass storageClass) {
    engine.putStorageClass(storageClass);
    wake(ClusterEvent.other(Kind.STORAGE_CLASS, storageClass.name()));
  }

  @Override
  public void removeStorageClass(String name) {
    engine.removeStorageClass(name);
  }

  @Override
  public void putCsiNode(CsiNode node) {
    engine.putCsiNode(node);
    wake(ClusterEvent.other(Kind.CSI_NODE, node.name()));
  }

  @Override
  public void removeCsiNode(String name) {
    engine.removeCsiNode(name);
  }

  private void wake(ClusterEvent event) {
    queue.wake(event, now.getAsLong());
  }
}
