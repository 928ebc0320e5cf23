package io.berth.scheduler;

import io.berth.api.CsiNode;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.PodGroup;
import io.berth.api.SelectorOwner;
import io.berth.api.StorageClass;
import io.berth.engine.Engine;
import io.berth.scheduler.ClusterEvent.Kind;
import java.util.Collection;
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
  private final Map<String, Pod> assumed = new HashMap<>();
  private final PodGroups groups;
  private final Nominations nominations;
  private final Map<String, Map<String, String>> namespaceLabels;

  World(
      Engine engine,
      SchedulingQueue queue,
      Set<String> schedulerNames,
      PodGroups groups,
      Nominations nominations,
      Map<String, Map<String, String>> namespaceLabels,
      java.util.function.LongSupplier now) {
    this.engine = engine;
    this.queue = queue;
    this.schedulerNames = Set.copyOf(schedulerNames);
    this.groups = groups;
    this.nominations = nominations;
    this.namespaceLabels = namespaceLabels;
    this.now = now;
  }

  /// A pod that was decided about: it counts on the node until the API confirms or refuses.
  void assume(Pod pod, String node) {
    engine.assume(pod, node);
    assumed.put(pod.key(), pod);
    groups.placed(pod);
  }

  boolean isAssumed(Pod pod) {
    var known = assumed.get(pod.key());
    return known != null && known.uid().equals(pod.uid());
  }

  /// The bind failed: the place is free again, which may help others.
  void forget(Pod pod) {
    if (isAssumed(pod)) {
      assumed.remove(pod.key());
      engine.forget(pod.namespace(), pod.name());
      groups.waits(pod);
      wake(ClusterEvent.pod(Kind.ASSIGNED_POD_DELETE, pod.withNodeName("?"), null));
    }
  }

  void nominate(Pod pod, String node) {
    nominations.add(pod, node);
  }

  void unnominate(Pod pod) {
    nominations.remove(pod);
  }

  /// Whether a pod of lower priority is on its way out of one of the nodes, by our doing.
  boolean isEvicting(Set<String> onNodes, int priority) {
    return !onNodes.isEmpty()
        && assigned.values().stream()
            .anyMatch(pod ->
                pod.terminating()
                    && pod.status().preemptedByScheduler()
                    && pod.priority() < priority
                    && onNodes.contains(pod.nodeName()));
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

  Collection<Pod> running() {
    return assigned.values();
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
      removePod(pod.namespace(), pod.name());
      return;
    }
    renominate(queue.find(pod.key()).map(PendingPod::pod).orElse(null), pod);
    boolean joins = pod.group() != null && queue.find(pod.key()).isEmpty();
    groups.waits(pod);
    queue.put(pod, now.getAsLong());
    if (joins) {
      queue.groupChanged(PodGroups.keyOf(pod), now.getAsLong());
      wake(ClusterEvent.pod(Kind.UNSCHEDULED_POD_ADD, null, pod));
    }
  }

  // An update that never had a nomination leaves what the scheduler promised itself.
  private void renominate(@Nullable Pod before, Pod pod) {
    var was = before == null ? "" : before.status().nominatedNodeName();
    var is = pod.status().nominatedNodeName();
    if (!is.isEmpty()) {
      nominations.add(pod, is);
    } else if (!was.isEmpty()) {
      nominations.remove(pod);
    }
    if (before != null && !was.isEmpty() && !was.equals(is)) {
      wake(ClusterEvent.pod(Kind.ASSIGNED_POD_DELETE, before, null));
    }
  }

  private void putRunning(Pod pod) {
    queue.remove(pod.key());
    assumed.remove(pod.key());
    nominations.remove(pod);
    groups.placed(pod);
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
    var before = assigned.remove(key);
    var wasAssumed = assumed.remove(key);
    if (before != null || wasAssumed != null) {
      engine.removePod(namespace, name);
    }
    waiting.map(PendingPod::pod).ifPresent(this::leave);
    if (wasAssumed != null) {
      leave(wasAssumed);
    }
    if (before != null) {
      leave(before);
      wake(ClusterEvent.pod(Kind.ASSIGNED_POD_DELETE, before, null));
    } else {
      // A promised node is free again.
      waiting
          .map(PendingPod::pod)
          .filter(pod -> !pod.status().nominatedNodeName().isEmpty())
          .ifPresent(pod -> wake(ClusterEvent.pod(Kind.ASSIGNED_POD_DELETE, pod, null)));
    }
  }

  private void leave(Pod pod) {
    nominations.remove(pod);
    groups.gone(pod);
  }

  @Override
  public void putPodGroup(PodGroup group) {
    var before = groups.find(group.key()).orElse(null);
    groups.put(group);
    if (before == null || group.minCount() < before.minCount()) {
      queue.groupChanged(group.key(), now.getAsLong());
      wake(ClusterEvent.other(Kind.POD_GROUP, group.key()));
    }
  }

  @Override
  public void removePodGroup(String namespace, String name) {
    groups.remove(namespace, name);
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
