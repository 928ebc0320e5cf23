package io.berth.console.scene;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.cluster.Informer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// All nodes and pods of a cluster, as the console shows them, and what changed last.
///
/// Informers are started by the first question; until then a scene costs nothing. Their threads
/// write, those of requests read, all under the scene's own lock and never for longer than a copy.
public final class Scene implements AutoCloseable {

  private final Cluster cluster;
  private final Map<String, NodeCell> nodes = new TreeMap<>();
  private final Map<String, PodCell> pods = new HashMap<>();
  private final Map<String, Room> taken = new HashMap<>();
  private final Map<String, Integer> namespaces = new TreeMap<>();

  /// Who made a ReplicaSet (`namespace/name`), as `Kind name`.
  private final Map<String, String> makers = new HashMap<>();

  private final ChangeLog changes = new ChangeLog();
  private final List<Informer> informers = new ArrayList<>();
  private boolean closed;

  public Scene(Cluster cluster) {
    this.cluster = cluster;
  }

  /// Returns when everything there was is known.
  public void awaitKnown() {
    for (var informer : started()) {
      try {
        informer.awaitSynced();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }

  private synchronized List<Informer> started() {
    if (informers.isEmpty() && !closed) {
      follow(Resource.REPLICA_SETS, this::putMaker, this::removeMaker);
      follow(Resource.NODES, this::putNode, this::removeNode);
      follow(Resource.PODS, this::putPod, this::removePod);
    }
    return List.copyOf(informers);
  }

  private interface Taking {
    void take(Tree object);
  }

  private void follow(Resource resource, Taking changed, Taking removed) {
    var handler =
        new Informer.Handler() {
          @Override
          public void changed(@Nullable Tree previous, Tree object) {
            changed.take(object);
          }

          @Override
          public void removed(Tree object) {
            removed.take(object);
          }
        };
    informers.add(new Informer(cluster, resource).keepingNames().on(handler).start());
  }

  private static String key(Tree object) {
    return object.textOrEmpty("metadata", "namespace")
        + "/"
        + object.textOrEmpty("metadata", "name");
  }

  private synchronized void putMaker(Tree object) {
    var maker = PodCell.maker(object);
    if (maker.isEmpty() ? makers.remove(key(object)) == null : isKnownMaker(key(object), maker)) {
      return;
    }
    // Its pods may have been told first.
    var made = "ReplicaSet " + object.textOrEmpty("metadata", "name");
    var namespace = object.textOrEmpty("metadata", "namespace");
    for (var pod : pods.values()) {
      if (pod.maker().equals(made) && pod.namespace().equals(namespace)) {
        changed(true, pod.key());
      }
    }
  }

  private boolean isKnownMaker(String key, String maker) {
    return Objects.equals(makers.put(key, maker), maker);
  }

  private synchronized void removeMaker(Tree object) {
    makers.remove(key(object));
  }

  private synchronized void putNode(Tree object) {
    var node = NodeCell.of(object);
    if (!node.equals(nodes.put(node.name(), node))) {
      changed(false, node.name());
    }
  }

  private synchronized void removeNode(Tree object) {
    var name = object.textOrEmpty("metadata", "name");
    nodes.remove(name);
    changed(false, name);
  }

  private synchronized void putPod(Tree object) {
    var pod = PodCell.of(object);
    var previous = pods.put(pod.key(), pod);
    if (pod.equals(previous)) {
      return;
    }
    if (previous == null) {
      namespaces.merge(pod.namespace(), 1, Integer::sum);
    } else {
      release(previous);
    }
    if (!pod.node().isEmpty()) {
      taken.merge(pod.node(), pod.taken(), Room::plus);
      changed(false, pod.node());
    }
    changed(true, pod.key());
  }

  private void release(PodCell pod) {
    if (taken.computeIfPresent(pod.node(), (_, room) -> room.minus(pod.taken())) != null) {
      changed(false, pod.node());
    }
  }

  private synchronized void removePod(Tree object) {
    var pod = pods.remove(key(object));
    if (pod != null) {
      release(pod);
      namespaces.computeIfPresent(pod.namespace(), (_, count) -> count == 1 ? null : count - 1);
      changed(true, pod.key());
    }
  }

  private void changed(boolean isPod, String key) {
    changes.add(new ChangeLog.Thing(isPod, key));
    notifyAll();
  }

  /// Everything at one moment; `revision` is the number of the last change.
  public record Snapshot(
      long revision, List<NodeCell> nodes, List<PodCell> pods, Map<String, Room> taken) {}

  public synchronized Snapshot snapshot() {
    return new Snapshot(
        changes.last(), List.copyOf(nodes.values()), List.copyOf(pods.values()), Map.copyOf(taken));
  }

  public synchronized long revision() {
    return changes.last();
  }

  /// Namespaces that have pods.
  public synchronized Collection<String> namespaces() {
    return new TreeSet<>(namespaces.keySet());
  }

  /// Who made this, as `Kind name`, where it is not the pod's own controller that a person knows.
  public synchronized String topMaker(PodCell pod) {
    var maker = pod.maker();
    return maker.startsWith("ReplicaSet ")
        ? makers.getOrDefault(
            pod.namespace() + "/" + maker.substring("ReplicaSet ".length()), maker)
        : maker;
  }

  /// What is different since a revision: as it is now, or gone; nothing if that is too long ago.
  public record Difference(
      long revision,
      List<PodCell> pods,
      List<String> gonePods,
      List<NodeCell> nodes,
      List<String> goneNodes,
      Map<String, Room> taken) {

    public boolean isEmpty() {
      return pods.isEmpty() && gonePods.isEmpty() && nodes.isEmpty() && goneNodes.isEmpty();
    }
  }

  public synchronized Optional<Difference> since(long revision) {
    return changes.since(revision).map(this::difference);
  }

  private Difference difference(List<ChangeLog.Thing> things) {
    var difference =
        new Difference(
            changes.last(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            new HashMap<>());
    for (var thing : things) {
      if (thing.isPod()) {
        put(pods.get(thing.key()), thing.key(), difference.pods, difference.gonePods);
      } else {
        put(nodes.get(thing.key()), thing.key(), difference.nodes, difference.goneNodes);
        difference.taken.put(thing.key(), taken.getOrDefault(thing.key(), Room.NONE));
      }
    }
    return difference;
  }

  private static <T> void put(@Nullable T now, String key, List<T> there, List<String> gone) {
    if (now == null) {
      gone.add(key);
    } else {
      there.add(now);
    }
  }

  /// Waits until something changed after this revision, for at most this long, or until nobody is
  /// interested any more: after a [#wake].
  public synchronized void awaitChange(long revision, long millis, BooleanSupplier isOver)
      throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    long left = millis;
    while (changes.last() == revision && !closed && !isOver.getAsBoolean() && left > 0) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
  }

  /// Has whoever waits look whether it should go on.
  public synchronized void wake() {
    notifyAll();
  }

  @Override
  public synchronized void close() {
    closed = true;
    informers.forEach(Informer::close);
    notifyAll();
  }
}
