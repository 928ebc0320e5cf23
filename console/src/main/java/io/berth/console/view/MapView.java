package io.berth.console.view;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.console.scene.NodeCell;
import io.berth.console.scene.PodCell;
import io.berth.console.scene.PodState;
import io.berth.console.scene.Room;
import io.berth.console.scene.Scene;
import io.berth.console.sight.Visibility;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The map as one caller sees it: columns, so that 100,000 pods are a few arrays.
///
/// Pods that the caller may not list are not in it. Whoever may list nodes gets what is taken of
/// each, by all pods together; how many pods that are is for those who see every pod. Without nodes
/// there are the names that the caller's own pods tell.
public final class MapView {

  private final Scene scene;
  private final Visibility visibility;
  private final List<String> keys;

  /// `keys` are the topology keys by which nodes are grouped.
  public MapView(Scene scene, Visibility visibility, List<String> keys) {
    this.scene = scene;
    this.visibility = visibility;
    this.keys = List.copyOf(keys);
  }

  public Tree toTree(Scene.Snapshot snapshot, String revision) {
    var pods = seen(snapshot.pods());
    var nodes = nodes(snapshot.nodes(), pods);
    var places = new HashMap<String, Integer>();
    nodes.forEach(node -> places.put(node.name(), places.size()));
    var tree = Tree.of("rev", revision);
    tree.put("cut", !visibility.seesNodes() || !visibility.seesEveryPod());
    tree.put("seesNodes", visibility.seesNodes());
    tree.put("keys", keys);
    tree.put("states", Arrays.stream(PodState.values()).map(PodState::toString).toList());
    nodeColumns(tree, nodes, snapshot.taken());
    podColumns(tree, pods, places);
    return tree;
  }

  private List<PodCell> seen(List<PodCell> pods) {
    return pods.stream().filter(pod -> visibility.seesPods(pod.namespace())).toList();
  }

  private List<NodeCell> nodes(List<NodeCell> all, List<PodCell> pods) {
    var nodes = new TreeMap<String, NodeCell>();
    if (visibility.seesNodes()) {
      all.forEach(node -> nodes.put(node.name(), node));
    }
    // A node that is gone, or not seen, is there as long as a pod names it.
    boolean ready = !visibility.seesNodes();
    for (var pod : pods) {
      if (!pod.node().isEmpty()) {
        nodes.computeIfAbsent(
            pod.node(), name -> new NodeCell(name, Map.of(), ready, false, Room.NONE));
      }
    }
    return List.copyOf(nodes.values());
  }

  private void nodeColumns(Tree tree, List<NodeCell> nodes, Map<String, Room> taken) {
    var columns = new ColumnTable();
    var domains = keys.stream().map(_ -> new Interned<String>()).toList();
    for (var node : nodes) {
      columns.add("name", node.name());
      columns.add("ready", node.ready() ? 1L : 0L);
      columns.add("cordoned", node.cordoned() ? 1L : 0L);
      if (visibility.seesNodes()) {
        room(columns, node.offers(), taken.getOrDefault(node.name(), Room.NONE));
      }
      for (int i = 0; i < keys.size(); i++) {
        var value = node.labels().getOrDefault(keys.get(i), "");
        columns.add("domain" + i, domains.get(i).number(value));
      }
    }
    tree.put("domains", domains.stream().map(Interned::values).toList());
    tree.put("nodes", columns.toTree());
  }

  private void room(ColumnTable columns, Room offers, Room taken) {
    columns.add("cpu", offers.cpuMillis());
    columns.add("memory", offers.memoryBytes());
    columns.add("gpu", offers.gpus());
    columns.add("pods", offers.pods());
    columns.add("cpuTaken", taken.cpuMillis());
    columns.add("memoryTaken", taken.memoryBytes());
    columns.add("gpuTaken", taken.gpus());
    if (visibility.seesEveryPod()) {
      columns.add("podsTaken", taken.pods());
    }
  }

  /// Pods of one node stand together: equal numbers in a row cost nothing when compressed.
  private void podColumns(Tree tree, List<PodCell> pods, Map<String, Integer> places) {
    var sorted =
        pods.stream()
            .sorted(
                Comparator.comparingInt((PodCell pod) -> places.getOrDefault(pod.node(), -1))
                    .thenComparing(PodCell::namespace)
                    .thenComparing(PodCell::name))
            .toList();
    var namespaces = new Interned<String>();
    var owners = new Interned<String>();
    var shapes = new Interned<List<Long>>();
    var columns = new ColumnTable();
    for (var pod : sorted) {
      columns.add("namespace", namespaces.number(pod.namespace()));
      columns.add("name", pod.name());
      columns.add("node", (long) places.getOrDefault(pod.node(), -1));
      columns.add("owner", owners.number(owner(pod)));
      columns.add("state", (long) pod.state().number());
      columns.add("shape", shapes.number(shape(pod)));
    }
    tree.put("namespaces", namespaces.values());
    tree.put("owners", owners.values());
    tree.put("shapes", shapes.values());
    tree.put("pods", columns.toTree());
  }

  private static List<Long> shape(PodCell pod) {
    var asks = pod.asks();
    return List.of(asks.cpuMillis(), asks.memoryBytes(), asks.gpus(), pod.priority());
  }

  /// Who made the pod, as `Kind name`: as far up as the caller may look.
  public String owner(PodCell pod) {
    return visibility.lists(Resource.REPLICA_SETS, pod.namespace())
        ? scene.topMaker(pod)
        : pod.maker();
  }

  /// What is different for this caller, in whole rows: there is nothing to add to them.
  public Tree toTree(Scene.Difference difference, String revision) {
    var pods = new Tree();
    var set = new Rows();
    for (var pod : seen(difference.pods())) {
      var row = set.row(pod.namespace(), pod.name(), pod.node(), owner(pod));
      row.add((long) pod.state().number());
      row.addAll(shape(pod));
    }
    pods.put("set", set.rows());
    pods.put("gone", difference.gonePods().stream().filter(visibility::seesPod).toList());
    var tree = Tree.of("rev", revision, "pods", pods);
    return visibility.seesNodes() ? tree.put("nodes", nodes(difference)) : tree;
  }

  private Tree nodes(Scene.Difference difference) {
    var set = new Rows();
    for (var node : difference.nodes()) {
      var columns = new ColumnTable();
      room(columns, node.offers(), difference.taken().getOrDefault(node.name(), Room.NONE));
      var row = set.row(node.name(), node.ready() ? 1L : 0L, node.cordoned() ? 1L : 0L);
      row.add(keys.stream().map(key -> node.labels().getOrDefault(key, "")).toList());
      row.addAll(columns.firstRow());
    }
    return Tree.of("set", set.rows(), "gone", difference.goneNodes());
  }

  /// Whether a caller would see anything of it.
  public boolean shows(Scene.Difference difference) {
    return visibility.seesNodes()
        || difference.pods().stream().anyMatch(pod -> visibility.seesPods(pod.namespace()))
        || difference.gonePods().stream().anyMatch(visibility::seesPod);
  }
}
