package io.berth.engine.model;

import io.berth.api.ClusterObject;
import io.berth.api.CsiDriver;
import io.berth.api.CsiNode;
import io.berth.api.CsiStorageCapacity;
import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.ObjectReference;
import io.berth.api.PersistentVolume;
import io.berth.api.PersistentVolumeClaim;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.PodGroup;
import io.berth.api.SelectorOwner;
import io.berth.api.StorageClass;
import io.berth.api.Surrounding;
import io.berth.api.Volume;
import io.berth.api.VolumeAttachment;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The cluster as far as it is known, kept up to date by events.
///
/// Every `put` adds or replaces, every `remove` of something unknown does nothing. After any
/// history the model equals one built afresh from the objects that are left. One thread owns it.
///
/// A change of a pod costs its node's columns, its cohort, and the terms that count it or that it
/// owns. A change of a node's labels takes its pods out and puts them back.
public final class ClusterModel {

  private final ObjectTable objects = new ObjectTable();
  private final Map<String, PodDisruptionBudget> budgets =
      objects.sorted(PodDisruptionBudget.KIND, PodDisruptionBudget.class);
  private final ResourceNames resources = new ResourceNames();
  private final NodeTable nodes = new NodeTable(resources);
  private final Images images = new Images(nodes);
  private final SelectedKeys selectedKeys = new SelectedKeys();
  private final Terms terms = new Terms(nodes, objects, selectedKeys);
  private final Shapes shapes = new Shapes(resources, terms);
  private final Volumes volumes = new Volumes(objects);
  private final Owners owners = new Owners(selectedKeys);
  private final ChangeLog changes = new ChangeLog();
  private final Map<String, RunningPod> pods = new HashMap<>();
  private final Map<String, Integer> claimUsers = new HashMap<>();
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

  /// The object as it was last put, or `null`. Of pods less is kept: see [#findPod].
  public @Nullable Surrounding find(ObjectReference reference) {
    return reference.kind().equals(Node.KIND)
        ? nodes.findNode(reference.name())
        : objects.find(reference);
  }

  /// Everything but pods.
  public List<Surrounding> surroundings() {
    var all = objects.all();
    for (int node = 0; node < nodes.limit(); node++) {
      if (nodes.isPresent(node)) {
        all.add(nodes.node(node));
      }
    }
    return all;
  }

  public void put(ClusterObject object) {
    switch (object) {
      case Pod pod -> putPod(pod);
      case Node node -> change(nodes.findNode(node.name()), node);
      case Surrounding other -> change(other.reference(), other);
    }
  }

  public void remove(ObjectReference reference) {
    if (reference.kind().equals(Pod.KIND)) {
      removePod(reference.namespace(), reference.name());
    } else if (reference.kind().equals(Node.KIND)) {
      change(nodes.findNode(reference.name()), null);
    } else {
      change(reference, null);
    }
  }

  private void change(ObjectReference reference, @Nullable Surrounding after) {
    var before = objects.replace(reference, after);
    if (Objects.equals(before, after)) {
      return;
    }
    switch (Objects.requireNonNull(after == null ? before : after)) {
      case Node _ -> throw new IllegalStateException("nodes have a table of their own");
      case Namespace namespace -> terms.relabelled(namespace.name(), shapes.cohorts());
      case SelectorOwner _ -> owners.change((SelectorOwner) before, (SelectorOwner) after);
      case PersistentVolumeClaim claim -> volumes.changed(claim);
      case PersistentVolume _ ->
          volumes.change((PersistentVolume) before, (PersistentVolume) after);
      case VolumeAttachment _ ->
          volumes.change((VolumeAttachment) before, (VolumeAttachment) after);
      // These are looked up by those whom they concern, whenever they do.
      case PodDisruptionBudget _,
          PodGroup _,
          StorageClass _,
          CsiNode _,
          CsiDriver _,
          CsiStorageCapacity _ -> {}
    }
  }

  private void change(@Nullable Node before, @Nullable Node after) {
    if (Objects.equals(before, after)) {
      return;
    }
    if (after == null) {
      remove(Objects.requireNonNull(before));
    } else if (before == null) {
      add(after);
    } else {
      replace(nodes.indexOf(after.name()), before, after);
    }
  }

  private void add(Node node) {
    int index = nodes.indexOf(node.name());
    terms.grow(nodes.capacity());
    changes.fit(nodes.capacity());
    nodes.put(index, node);
    terms.place(index, node.labels());
    images.add(index, node);
    countAll(index, 1);
    changes.add(index);
  }

  private void replace(int index, Node before, Node after) {
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
    changes.add(index);
  }

  private void remove(Node node) {
    int index = nodes.find(node.name());
    countAll(index, -1);
    images.remove(index, node);
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

  private void putPod(Pod pod) {
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

  private void removePod(String namespace, String name) {
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

  /// Puts a pod back that was taken out whole by [#remove].
  void restore(RunningPod pod) {
    pod.node = nodes.indexOf(pod.nodeName);
    pod.shape = shapes.revive(pod.shape);
    attach(pod);
  }

  public void nominate(Pod pod, String node) {
    nominations.put(pod, shapeOf(pod), node);
  }

  public void unnominate(String namespace, String name) {
    nominations.remove(namespace, name);
  }
}
