package io.berth.engine.model;

import io.berth.api.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Pending pods that wait for a node, by the name of the node.
public final class Nominations {

  private final Map<String, Nominated> byPod = new HashMap<>();
  private final Map<String, List<Nominated>> byNode = new TreeMap<>();

  /// A pending pod and the node it waits for.
  public record Nominated(String podKey, String uid, Shape shape, String node) {}

  void put(Pod pod, Shape shape, String node) {
    remove(pod.namespace(), pod.name());
    if (node.isEmpty()) {
      return;
    }
    var nominated = new Nominated(pod.key(), pod.uid(), shape, node);
    byPod.put(pod.key(), nominated);
    byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(nominated);
  }

  void remove(String namespace, String name) {
    var known = byPod.remove(namespace + "/" + name);
    if (known != null) {
      var list = byNode.get(known.node());
      if (list != null) {
        list.remove(known);
        if (list.isEmpty()) {
          byNode.remove(known.node());
        }
      }
    }
  }

  public boolean isEmpty() {
    return byNode.isEmpty();
  }

  public Map<String, List<Nominated>> byNode() {
    return byNode;
  }

  public List<Nominated> on(String node) {
    return byNode.getOrDefault(node, List.of());
  }
}
