package io.berth.scheduler;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.PodGroup;
import io.berth.api.SelectorOwner;
import io.berth.api.StorageClass;
import io.berth.api.VolumeAttachment;
import io.berth.engine.Engine;
import io.berth.engine.VolumeReservation;
import io.berth.scheduler.ArrivalOrder.Release;
import io.berth.scheduler.ClusterEvent.Kind;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
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
  private final Map<String, VolumeReservation> reservations = new HashMap<>();
  private final PodGroups groups;
  private final Nominations nominations;
  private final Storage storage;
  private final ClaimBindings bindings;
  private final Map<String, Map<String, String>> namespaceLabels;

  private final Journal journal;
  private BiConsumer<Pod, Release> boundElsewhere = (_, _) -> {};
  private @Nullable ArrivalOrder order;

  World(
      Engine engine,
      SchedulingQueue queue,
      Set<String> schedulerNames,
      PodGroups groups,
      Nominations nominations,
      Storage storage,
      ClaimBindings bindings,
      Map<String, Map<String, String>> namespaceLabels,
      java.util.function.LongSupplier now,
      Journal journal) {
    this.journal = journal;
    this.engine = engine;
    this.queue = queue;
    this.schedulerNames = Set.copyOf(schedulerNames);
    this.groups = groups;
    this.nominations = nominations;
    this.storage = storage;
    this.bindings = bindings;
    this.namespaceLabels = namespaceLabels;
    this.now = now;
  }

  /// A pod that was decided about: it counts on the node, and its claims have what the answer says,
  /// until the API confirms or refuses.
  VolumeReservation assume(Pod pod, String node) {
    var reservation =
        Storage.claimNames(pod).isEmpty() ? VolumeReservation.NONE : engine.reserve(pod, node);
    engine.assume(pod, node);
    journal.assumed(pod, node);
    assumed.put(pod.key(), pod);
    if (!reservation.isEmpty()) {
      reservations.put(pod.key(), reservation);
    }
    groups.placed(pod);
    return reservation;
  }

  boolean isAssumed(Pod pod) {
    var known = assumed.get(pod.key());
    return known != null && known.uid().equals(pod.uid());
  }

  /// The bind failed: the place is free again, which may help others.
  void forget(Pod pod) {
    if (isAssumed(pod)) {
      assumed.remove(pod.key());
      release(pod.key());
      engine.forget(pod.namespace(), pod.name());
      journal.forgotten(pod);
      groups.waits(pod);
      wakeForPlaceOf(pod);
    }
  }

  private void wakeForPlaceOf(Pod assumedPod) {
    wake(ClusterEvent.gone(Kind.ASSIGNED_POD_DELETE, assumedPod.withNodeName("?")));
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

  private void release(String key) {
    var reservation = reservations.remove(key);
    if (reservation != null) {
      engine.release(reservation);
    }
  }

  @Nullable Pod running(String key) {
    return assigned.get(key);
  }

  /// A pod that has a place, also if its bind is still under way.
  @Nullable Pod placed(String key) {
    var bound = assigned.get(key);
    return bound == null ? assumed.get(key) : bound;
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
    } else if (order == null) {
      putRunning(pod);
    } else {
      order.bound(pod, now.getAsLong()).forEach(this::putRunning);
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
    if (order != null && queue.find(pod.key()).isEmpty()) {
      order.came(pod);
    }
    queue.put(pod, now.getAsLong());
    if (joins) {
      queue.groupChanged(PodGroups.keyOf(pod), now.getAsLong());
      wake(ClusterEvent.added(Kind.UNSCHEDULED_POD_ADD, pod));
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
      wake(ClusterEvent.gone(Kind.ASSIGNED_POD_DELETE, before));
    }
  }

  /// Tells of pods that waited here and were bound by somebody else, in the order in which that was
  /// decided and while the engine still is as it was before.
  void onBoundElsewhere(BiConsumer<Pod, Release> listener) {
    boundElsewhere = listener;
    order = new ArrivalOrder();
  }

  /// Goes on with binds that waited too long for others.
  void keepOrder() {
    if (order != null) {
      order.late(now.getAsLong()).forEach(this::putRunning);
    }
  }

  private void putRunning(Release release) {
    var pod = release.pod();
    var waiting = queue.find(pod.key());
    if (waiting.isPresent() && waiting.get().pod().uid().equals(pod.uid())) {
      boundElsewhere.accept(waiting.get().pod(), release);
    }
    putRunning(pod);
  }

  private void putRunning(Pod pod) {
    queue.remove(pod.key());
    assumed.remove(pod.key());
    // What it reserved is its own now: the claims are bound, or the volumes will say so.
    reservations.remove(pod.key());
    nominations.remove(pod);
    groups.placed(pod);
    var before = assigned.put(pod.key(), pod);
    engine.putPod(pod);
    if (before == null || !before.uid().equals(pod.uid())) {
      wake(ClusterEvent.added(Kind.ASSIGNED_POD_ADD, pod));
    } else {
      Changes.ofAssigned(before, pod).forEach(this::wake);
    }
  }

  @Override
  public void removePod(String namespace, String name) {
    var key = namespace + "/" + name;
    if (order != null) {
      order.gone(key).forEach(this::putRunning);
    }
    var waiting = queue.find(key);
    queue.remove(key);
    var before = assigned.remove(key);
    var wasAssumed = assumed.remove(key);
    release(key);
    if (before != null || wasAssumed != null) {
      engine.removePod(namespace, name);
    }
    waiting.map(PendingPod::pod).ifPresent(this::leave);
    if (wasAssumed != null) {
      leave(wasAssumed);
    }
    if (before != null) {
      leave(before);
      wake(ClusterEvent.gone(Kind.ASSIGNED_POD_DELETE, before));
    } else if (wasAssumed != null) {
      wakeForPlaceOf(wasAssumed);
    } else {
      // A promised node is free again.
      waiting
          .map(PendingPod::pod)
          .filter(pod -> !pod.status().nominatedNodeName().isEmpty())
          .ifPresent(pod -> wake(ClusterEvent.gone(Kind.ASSIGNED_POD_DELETE, pod)));
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
      wake(
          before == null
              ? ClusterEvent.added(Kind.POD_GROUP_ADD, group)
              : ClusterEvent.changed(Kind.POD_GROUP_UPDATE, before, group));
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
      wake(ClusterEvent.added(Kind.NODE_ADD, node));
    } else {
      Changes.ofNode(before, node).forEach(this::wake);
    }
  }

  @Override
  public void removeNode(String name) {
    var before = nodes.remove(name);
    if (before != null) {
      engine.removeNode(name);
      wake(ClusterEvent.gone(Kind.NODE_DELETE, before));
    }
  }

  @Override
  public void putNamespace(Namespace namespace) {
    var before = namespaceLabels.put(namespace.name(), namespace.labels());
    engine.putNamespace(namespace);
    if (before != null && !before.equals(namespace.labels())) {
      wake(ClusterEvent.added(Kind.NAMESPACE_UPDATE, namespace));
    }
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
    bindings.seen(claim);
    wake(
        storage.claims().put(claim.key(), claim),
        claim,
        Kind.PERSISTENT_VOLUME_CLAIM_ADD,
        Kind.PERSISTENT_VOLUME_CLAIM_UPDATE);
  }

  @Override
  public void removeClaim(String namespace, String name) {
    engine.removeClaim(namespace, name);
    storage.claims().remove(namespace + "/" + name);
    bindings.gone(namespace + "/" + name);
  }

  @Override
  public void putVolume(PersistentVolume volume) {
    engine.putVolume(volume);
    wake(
        storage.volumes().put(volume.name(), volume),
        volume,
        Kind.PERSISTENT_VOLUME_ADD,
        Kind.PERSISTENT_VOLUME_UPDATE);
  }

  @Override
  public void removeVolume(String name) {
    engine.removeVolume(name);
    storage.volumes().remove(name);
  }

  @Override
  public void putStorageClass(StorageClass storageClass) {
    engine.putStorageClass(storageClass);
    wake(
        storage.classes().put(storageClass.name(), storageClass),
        storageClass,
        Kind.STORAGE_CLASS_ADD,
        Kind.STORAGE_CLASS_UPDATE);
  }

  @Override
  public void removeStorageClass(String name) {
    engine.removeStorageClass(name);
    storage.classes().remove(name);
  }

  @Override
  public void putCsiDriver(CsiDriver driver) {
    engine.putCsiDriver(driver);
    wake(
        storage.drivers().put(driver.name(), driver),
        driver,
        Kind.CSI_DRIVER_ADD,
        Kind.CSI_DRIVER_UPDATE);
  }

  @Override
  public void removeCsiDriver(String name) {
    engine.removeCsiDriver(name);
    storage.drivers().remove(name);
  }

  @Override
  public void putStorageCapacity(CsiStorageCapacity capacity) {
    engine.putStorageCapacity(capacity);
    wake(
        storage.capacities().put(capacity.key(), capacity),
        capacity,
        Kind.CSI_STORAGE_CAPACITY_ADD,
        Kind.CSI_STORAGE_CAPACITY_UPDATE);
  }

  @Override
  public void removeStorageCapacity(String namespace, String name) {
    engine.removeStorageCapacity(namespace, name);
    storage.capacities().remove(namespace + "/" + name);
  }

  @Override
  public void putAttachment(VolumeAttachment attachment) {
    engine.putAttachment(attachment);
    storage.attachments().put(attachment.name(), attachment);
  }

  @Override
  public void removeAttachment(String name) {
    engine.removeAttachment(name);
    var before = storage.attachments().remove(name);
    if (before != null) {
      wake(ClusterEvent.gone(Kind.VOLUME_ATTACHMENT_DELETE, before));
    }
  }

  @Override
  public void putCsiNode(CsiNode node) {
    engine.putCsiNode(node);
    wake(storage.csiNodes().put(node.name(), node), node, Kind.CSI_NODE_ADD, Kind.CSI_NODE_UPDATE);
  }

  @Override
  public void removeCsiNode(String name) {
    engine.removeCsiNode(name);
    storage.csiNodes().remove(name);
  }

  // An update that changes nothing scheduling reads is no event.
  private void wake(@Nullable Object before, Object after, Kind added, Kind changed) {
    if (before == null) {
      wake(ClusterEvent.added(added, after));
    } else if (!before.equals(after)) {
      wake(ClusterEvent.changed(changed, before, after));
    }
  }

  private void wake(ClusterEvent event) {
    queue.wake(event, now.getAsLong());
  }
}
