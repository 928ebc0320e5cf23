package io.berth.workloads.sharing;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.PodDisruptionBudget;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.codec.NodeReader;
import io.berth.codec.ObjectReader;
import io.berth.codec.PodReader;
import io.berth.engine.Engine;
import io.berth.workloads.state.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/// Keeps an engine in step with the nodes and pods of the cluster, and reads its disruption
/// budgets: only what changed since the last look is read and told.
///
/// A pod that was admitted counts on the node it was planned for until it is bound. One thread owns
/// it.
final class EngineFeed {

  private final State state;
  private final Engine engine;
  private final Map<String, Seen<Node>> nodes = new LinkedHashMap<>();
  private final Map<String, Seen<Pod>> pods = new HashMap<>();
  private final Map<String, Seen<PodDisruptionBudget>> budgets = new HashMap<>();

  /// Pods by workload, as they were when the engine was told of them.
  private final Map<String, List<Tree>> podsOf = new HashMap<>();

  private record Seen<T>(Tree tree, T value) {}

  EngineFeed(State state, Engine engine) {
    this.state = state;
    this.engine = engine;
  }

  void look() {
    follow(
        state.table(Resource.NODES).all(),
        nodes,
        NodeReader::read,
        engine::put,
        node -> engine.remove(node.reference()));
    follow(
        state.table(Resource.POD_DISRUPTION_BUDGETS).all(),
        budgets,
        ObjectReader::readBudget,
        _ -> {},
        _ -> {});
    var running = new ArrayList<Tree>();
    podsOf.clear();
    for (var pod : state.table(Resource.PODS).all()) {
      if (pod.at("metadata", "labels", State.WORKLOAD_ID_LABEL) instanceof String id) {
        podsOf.computeIfAbsent(id, _ -> new ArrayList<>()).add(pod);
      }
      // What reservations stand for, the arbiter counts itself.
      if (!Reservations.isReservation(pod)) {
        running.add(pod);
      }
    }
    follow(running, pods, EngineFeed::planned, this::put, this::remove);
  }

  private void put(Pod pod) {
    remove(pod);
    engine.put(pod);
  }

  private void remove(Pod pod) {
    engine.remove(pod.reference());
  }

  // The cache hands out the same tree as long as the object is the same.
  @SuppressWarnings("ReferenceEquality")
  private static <T> void follow(
      List<Tree> trees,
      Map<String, Seen<T>> known,
      Function<Tree, T> read,
      Consumer<T> put,
      Consumer<T> remove) {
    var there = new HashSet<String>();
    for (var tree : trees) {
      var key = Pods.key(tree);
      there.add(key);
      var before = known.get(key);
      if (before == null || before.tree() != tree) {
        var value = read.apply(tree);
        known.put(key, new Seen<>(tree, value));
        put.accept(value);
      }
    }
    known
        .entrySet()
        .removeIf(entry -> {
          boolean gone = !there.contains(entry.getKey());
          if (gone) {
            remove.accept(entry.getValue().value());
          }
          return gone;
        });
  }

  private static Pod planned(Tree tree) {
    var pod = PodReader.read(tree);
    var node = Pods.annotation(tree, Pods.NODE_ANNOTATION);
    boolean waits = pod.nodeName().isEmpty() && !Pods.isGated(tree);
    return waits && node != null ? pod.withNodeName(node) : pod;
  }

  List<Node> nodes() {
    return nodes.values().stream().map(Seen::value).toList();
  }

  List<PodDisruptionBudget> budgets() {
    return budgets.values().stream().map(Seen::value).toList();
  }

  /// The pods of a workload, in the order of their names' creation.
  List<Tree> podsOf(Tree workload) {
    return podsOf.getOrDefault(workload.textOrEmpty("metadata", "uid"), List.of());
  }

  /// A pod as the engine knows it.
  Pod pod(Tree tree) {
    var known = pods.get(Pods.key(tree));
    return known == null ? planned(tree) : known.value();
  }
}
