package io.berth.scheduler;

import io.berth.api.ClusterObject;
import io.berth.api.ObjectReference;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodGroup;
import io.berth.api.Surrounding;
import io.berth.engine.ClusterEvent;
import io.berth.engine.ClusterEvent.Kind;
import io.berth.engine.Engine;
import io.berth.engine.VolumeReservation;
import io.berth.scheduler.ArrivalOrder.Release;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Keeps engine and queue in step with what happens, and wakes whom it helps. Owned by the loop's
/// thread.
final class World {

  private final Engine engine;
  private final SchedulingQueue queue;
  private final Set<String> schedulerNames;
  private final PodGroups groups;
  private final Nominations nominations;
  private final Assumptions assumptions;
  private final ClaimBindings bindings;
  private final LongSupplier now;
  private final Map<String, Pod> assigned = new HashMap<>();
  private BiConsumer<Pod, Release> boundElsewhere = (_, _) -> {};
  private @Nullable ArrivalOrder order;

  World(
      Engine engine,
      SchedulingQueue queue,
      Set<String> schedulerNames,
      PodGroups groups,
      Nominations nominations,
      Assumptions assumptions,
      ClaimBindings bindings,
      LongSupplier now) {
    this.engine = engine;
    this.queue = queue;
    this.schedulerNames = Set.copyOf(schedulerNames);
    this.groups = groups;
    this.nominations = nominations;
    this.assumptions = assumptions;
    this.bindings = bindings;
    this.now = now;
  }

  void put(ClusterObject object) {
    switch (object) {
      case Pod pod -> putPod(pod);
      case Surrounding other -> change(other.reference(), other);
    }
  }

  void remove(ObjectReference reference) {
    if (reference.kind().equals(Pod.KIND)) {
      removePod(reference);
    } else {
      change(reference, null);
    }
  }

  // An update that changes nothing scheduling reads is no event.
  private void change(ObjectReference reference, @Nullable Surrounding after) {
    var before = engine.find(reference);
    if (Objects.equals(before, after)) {
      return;
    }
    if (after == null) {
      engine.remove(reference);
    } else {
      engine.put(after);
    }
    tellOthers(Objects.requireNonNull(after == null ? before : after), after != null);
    Changes.of(before, after).forEach(this::wake);
  }

  private void tellOthers(Surrounding object, boolean isThere) {
    switch (object) {
      case PersistentVolumeClaim claim when isThere -> bindings.seen(claim);
      case PersistentVolumeClaim claim -> bindings.gone(claim.key());
      case PodGroup group when isThere -> put(group);
      case PodGroup group -> groups.remove(group.namespace(), group.name());
      default -> {}
    }
  }

  private void put(PodGroup group) {
    groups.put(group);
    queue.groupChanged(group.key(), now.getAsLong());
  }

  /// A pod that was decided about: it counts on the node, and its claims have what the answer says,
  /// until the API confirms or refuses.
  VolumeReservation assume(Pod pod, String node) {
    var reservation = assumptions.add(pod, node);
    groups.placed(pod);
    return reservation;
  }

  /// The bind failed: the place is free again, which may help others.
  void forget(Pod pod) {
    var assumed = assumptions.forget(pod);
    if (assumed != null) {
      groups.waits(pod);
      wake(ClusterEvent.gone(Kind.ASSIGNED_POD_DELETE, assumed));
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

  /// All that decisions follow from, as it is now.
  Knowledge knowledge() {
    var objects = new ArrayList<ClusterObject>(engine.surroundings());
    objects.addAll(assigned.values());
    objects.addAll(queue.pods());
    return new Knowledge(objects, assumptions.all(), nominations.all());
  }

  int nodeCount() {
    return engine.nodeCount();
  }

  int podCount() {
    return assigned.size() + assumptions.size();
  }

  int assumedCount() {
    return assumptions.size();
  }

  @Nullable Pod running(String key) {
    return assigned.get(key);
  }

  /// A pod that has a place, also if its bind is still under way.
  @Nullable Pod placed(String key) {
    var bound = assigned.get(key);
    return bound == null ? assumptions.find(key) : bound;
  }

  Collection<Pod> running() {
    return assigned.values();
  }

  private void putPod(Pod pod) {
    if (pod.isFinished()) {
      removePod(pod.reference());
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
    if (pod.terminating()) {
      removePod(pod.reference());
      return;
    }
    if (assumptions.contains(pod)) {
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
    assumptions.confirmed(pod.key());
    nominations.remove(pod);
    groups.placed(pod);
    var before = assigned.put(pod.key(), pod);
    engine.put(pod);
    if (before == null || !before.uid().equals(pod.uid())) {
      wake(ClusterEvent.added(Kind.ASSIGNED_POD_ADD, pod));
    } else {
      Changes.ofAssigned(before, pod).forEach(this::wake);
    }
  }

  private void removePod(ObjectReference reference) {
    var key = reference.key();
    if (order != null) {
      order.gone(key).forEach(this::putRunning);
    }
    var waiting = queue.find(key);
    queue.remove(key);
    var before = assigned.remove(key);
    var wasAssumed = assumptions.gone(key);
    if (before != null || wasAssumed != null) {
      engine.remove(reference);
    }
    waiting.map(PendingPod::pod).ifPresent(this::leave);
    if (wasAssumed != null) {
      leave(wasAssumed);
    }
    if (before != null) {
      leave(before);
      wake(ClusterEvent.gone(Kind.ASSIGNED_POD_DELETE, before));
    } else if (wasAssumed != null) {
      wake(ClusterEvent.gone(Kind.ASSIGNED_POD_DELETE, wasAssumed));
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

  private void wake(ClusterEvent event) {
    queue.wake(event, now.getAsLong());
  }
}
