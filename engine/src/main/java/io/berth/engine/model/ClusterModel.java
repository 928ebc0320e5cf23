package io.berth.engine.model;

import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.SelectorOwner;
import io.berth.api.StorageClass;
import io.berth.api.Volume;
import io.berth.api.VolumeAttachment;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The cluster as far as it is known, kept up to date by events.
///
/// Every `put` adds or replaces, every `remove` of something unknown does nothing. After any
/// history the model equals one built afresh from the objects that are left. One thread owns it.
///
/// A change of a pod costs its node's columns, its cohort, and the terms that count it or that it
/// owns. A change of a node's labels takes its pods out and puts them back.
public final class ClusterModel {

  private final ResourceNames resources = new ResourceNames();
  private final NodeTable nodes = new NodeTable(resources);
  private final Images images = new Images(nodes);
  private final SelectedKeys selectedKeys = new SelectedKeys();
  private final Terms terms = new Terms(nodes, selectedKeys);
  private final Shapes shapes = new Shapes(resources, terms);
  private final Volumes volumes = new Volumes();
  private final Owners owners = new Owners(selectedKeys);
  private final ChangeLog changes = new ChangeLog();
  private final Map<String, RunningPod> pods = new HashMap<>();
  private final Map<String, Integer> claimUsers = new HashMap<>();
  private final Map<String, PodDisruptionBudget> budgets = new TreeMap<>();
  private final Nominations nominations = new Nominations();

  public NodeTable nodes() {
    return nodes;
  }

  public ResourceNames resources() {
    return resources;
  }

  public Images images() {
    return images;
  }

  public Terms terms() {
    return terms;
  }

  public Volumes volumes() {
    return volumes;
  }

  public Owners owners() {
    return owners;
  }

  public SelectedKeys selectedKeys() {
    return selectedKeys;
  }

  public ChangeLog changes() {
    return changes;
  }

  public Nominations nominations() {
    return nominations;
  }

  public Topology topology(String key) {
    return terms.topology(key);
  }

  /// Budgets by namespace and name.
  public Collection<PodDisruptionBudget> budgets() {
    return budgets.values();
  }

  public @Nullable RunningPod findPod(String namespace, String name) {
    return pods.get(namespace + "/" + name);
  }

  public Collection<RunningPod> pods() {
    return pods.values();
  }

  /// What the pod has in common with others, as a newcomer.
  public Shape shapeOf(Pod pod) {
    return shapes.of(pod, false);
  }

  public void putNode(Node node) {
    int index = nodes.indexOf(node.name());
    if (!nodes.isPresent(index)) {
      terms.grow(nodes.capacity());
      changes.fit(nodes.capacity());
      nodes.put(index, node);
      terms.place(index, node.labels());
      images.add(index, node);
      countAll(index, 1);
    } else {
      replace(index, nodes.node(index), node);
    }
    changes.add(index);
  }

  private void replace(int index, Node before, Node after) {
    if (before.equals(after)) {
      return;
    }
    boolean moved = !before.labels().equals(after.labels());
    if (moved) {
      countAll(index, -1);
    }
    if (!before.images().equals(after.images())) {
      images.remove(index, before);
      images.add(index, after);
    }
    nodes.put(index, after);
    if (moved) {
      terms.place(index, after.labels());
      countAll(index, 1);
    }
  }

  public void removeNode(String name) {
    int index = nodes.find(name);
    if (index < 0) {
      return;
    }
    countAll(index, -1);
    images.remove(index, nodes.node(index));
    terms.place(index, Map.of());
    nodes.drop(index);
    changes.add(index);
    nodes.release(index);
  }

  private void countAll(int index, int sign) {
    var list = nodes.pods(index);
    for (int i = 0; i < list.size(); i++) {
      count(list.get(i), sign);
    }
  }

  public void putPod(Pod pod) {
    var known = findPod(pod.namespace(), pod.name());
    if (pod.nodeName().isEmpty() || pod.isFinished()) {
      // An assumed pod is ahead of the events: the unbound version of itself changes nothing.
      boolean stale = known != null && known.assumed && !pod.isFinished();
      if (known != null && !stale) {
        detach(known);
      }
      return;
    }
    put(pod, pod.nodeName(), known, false);
  }

  /// Counts a pod as running on a node, ahead of the event that will say so.
  public void assume(Pod pod, String node) {
    put(pod, node, findPod(pod.namespace(), pod.name()), true);
  }

  public void forget(String namespace, String name) {
    var known = findPod(namespace, name);
    if (known != null && known.assumed) {
      detach(known);
    }
  }

  private void put(Pod pod, String nodeName, @Nullable RunningPod known, boolean assumed) {
    var shape = shapes.of(pod, true);
    long start = nanos(pod.status().startTime());
    if (known != null) {
      boolean same =
          known.shape == shape && known.uid.equals(pod.uid()) && known.nodeName.equals(nodeName);
      if (same) {
        known.assumed = assumed;
        startAt(known, start);
        return;
      }
      detach(known);
    }
    var running =
        new RunningPod(
            pod.namespace(),
            pod.name(),
            pod.uid(),
            nodeName,
            shape,
            nodes.indexOf(nodeName),
            start);
    running.assumed = assumed;
    attach(running);
  }

  // The start time is part of the order in the node's list.
  private void startAt(RunningPod pod, long start) {
    if (pod.startNanos != start) {
      nodes.pods(pod.node).remove(pod);
      pod.startNanos = start;
      nodes.pods(pod.node).add(pod);
    }
  }

  private static long nanos(@Nullable Instant start) {
    if (start == null) {
      return Long.MAX_VALUE;
    }
    // Times beyond the years 1684 to 2255 do not fit, and matter to nobody.
    long seconds = Math.clamp(start.getEpochSecond(), -9_000_000_000L, 9_000_000_000L);
    return seconds * 1_000_000_000L + start.getNano();
  }

  public void removePod(String namespace, String name) {
    var known = findPod(namespace, name);
    if (known != null) {
      detach(known);
    }
  }

  private void attach(RunningPod pod) {
    terms.grow(nodes.capacity());
    pods.put(pod.key(), pod);
    nodes.pods(pod.node).add(pod);
    shapes.use(pod.shape, 1);
    if (nodes.isPresent(pod.node)) {
      count(pod, 1);
      changes.add(pod.node);
    }
  }

  private void detach(RunningPod pod) {
    pods.remove(pod.key());
    nodes.pods(pod.node).remove(pod);
    if (nodes.isPresent(pod.node)) {
      count(pod, -1);
      changes.add(pod.node);
    }
    shapes.use(pod.shape, -1);
    nodes.release(pod.node);
  }

  /// How many running pods use a claim.
  public int claimUsers(String namespace, String claim) {
    return claimUsers.getOrDefault(namespace + "/" + claim, 0);
  }

  private void count(RunningPod pod, int sign) {
    countClaims(pod.shape, sign);
    nodes.take(pod.node, pod.shape, sign);
    pod.shape.cohort.add(pod.node, sign);
    var owned = pod.shape.owned;
    for (int i = 0; i < owned.length; i++) {
      owned[i].add(pod.node, sign * pod.shape.ownedWeights[i], sign);
    }
  }

  private void countClaims(Shape shape, int sign) {
    var used = shape.spec().volumes();
    for (int i = 0; i < used.size(); i++) {
      if (used.get(i) instanceof Volume.Claim claim && !claim.ephemeral()) {
        var key = shape.namespace() + "/" + claim.claimName();
        if (claimUsers.merge(key, sign, Integer::sum) == 0) {
          claimUsers.remove(key);
        }
      }
    }
  }

  /// A pod that does not run, to be pretended onto a node.
  public RunningPod pretended(String podKey, Shape shape, int node) {
    return new RunningPod("", podKey, "", nodes.name(node), shape, node, Long.MAX_VALUE);
  }

  /// Takes a pod off its node's columns for a trial; [#pretendBack] must follow.
  ///
  /// Counters of terms are left alone: rules keep their own count of what a trial adds or removes.
  public void pretendGone(RunningPod pod) {
    nodes.pods(pod.node).remove(pod);
    nodes.take(pod.node, pod.shape, -1);
  }

  public void pretendBack(RunningPod pod) {
    nodes.pods(pod.node).add(pod);
    nodes.take(pod.node, pod.shape, 1);
  }

  /// Puts a pod back that was taken out whole by [#removePod].
  public void restore(RunningPod pod) {
    pod.node = nodes.indexOf(pod.nodeName);
    pod.shape = shapes.revive(pod.shape);
    attach(pod);
  }

  public void putNamespace(Namespace namespace) {
    terms.putNamespace(namespace.name(), namespace.labels(), shapes.cohorts());
  }

  public void removeNamespace(String name) {
    terms.putNamespace(name, null, shapes.cohorts());
  }

  public void putBudget(PodDisruptionBudget budget) {
    budgets.put(budget.namespace() + "/" + budget.name(), budget);
  }

  public void removeBudget(String namespace, String name) {
    budgets.remove(namespace + "/" + name);
  }

  public void putOwner(SelectorOwner owner) {
    owners.put(owner);
  }

  public void removeOwner(String kind, String namespace, String name) {
    owners.remove(kind, namespace, name);
  }

  public void putClaim(PersistentVolumeClaim claim) {
    volumes.put(claim);
  }

  public void removeClaim(String namespace, String name) {
    volumes.removeClaim(namespace, name);
  }

  public void putVolume(PersistentVolume volume) {
    volumes.put(volume);
  }

  public void removeVolume(String name) {
    volumes.removeVolume(name);
  }

  public void putStorageClass(StorageClass storageClass) {
    volumes.put(storageClass);
  }

  public void removeStorageClass(String name) {
    volumes.removeClass(name);
  }

  public void putCsiNode(CsiNode node) {
    volumes.put(node);
  }

  public void removeCsiNode(String name) {
    volumes.removeCsiNode(name);
  }

  public void putCsiDriver(CsiDriver driver) {
    volumes.put(driver);
  }

  public void removeCsiDriver(String name) {
    volumes.removeDriver(name);
  }

  public void putStorageCapacity(CsiStorageCapacity capacity) {
    volumes.put(capacity);
  }

  public void removeStorageCapacity(String namespace, String name) {
    volumes.removeCapacity(namespace, name);
  }

  public void putAttachment(VolumeAttachment attachment) {
    volumes.put(attachment);
  }

  public void removeAttachment(String name) {
    volumes.removeAttachment(name);
  }

  public void nominate(Pod pod, String node) {
    nominations.put(pod, shapeOf(pod), node);
  }

  public void unnominate(String namespace, String name) {
    nominations.remove(namespace, name);
  }
}
