package io.berth.scheduler;

import io.berth.api.Pod;
import io.berth.engine.Engine;
import io.berth.scheduler.Knowledge.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which pending pods wait for which node; the engine is told of each. Owned by the loop's thread.
final class Nominations {

  private final Engine engine;
  private final Journal journal;
  private final Map<String, Map<String, Pod>> podsByNode = new HashMap<>();
  private final Map<String, String> nodeOf = new HashMap<>();

  Nominations(Engine engine, Journal journal) {
    this.engine = engine;
    this.journal = journal;
  }

  void add(Pod pod, String node) {
    var before = nodeOf.put(pod.key(), node);
    if (before != null && !before.equals(node)) {
      take(before, pod.key());
    }
    podsByNode.computeIfAbsent(node, _ -> new LinkedHashMap<>()).put(pod.key(), pod);
    engine.nominate(pod, node);
    journal.nominated(pod, node);
  }

  void remove(Pod pod) {
    var node = nodeOf.remove(pod.key());
    if (node != null) {
      take(node, pod.key());
      engine.unnominate(pod.namespace(), pod.name());
      journal.nominated(pod, "");
    }
  }

  List<Place> all() {
    var all = new ArrayList<Place>();
    podsByNode.forEach((node, pods) -> pods.values().forEach(pod -> all.add(new Place(pod, node))));
    return all;
  }

  /// Pods of lower priority that wait for the node.
  List<Pod> below(int priority, String node) {
    var lower = new ArrayList<Pod>();
    for (var pod : podsByNode.getOrDefault(node, Map.of()).values()) {
      if (pod.priority() < priority) {
        lower.add(pod);
      }
    }
    return lower;
  }

  private void take(String node, String pod) {
    var waiting = podsByNode.get(node);
    if (waiting != null) {
      waiting.remove(pod);
      if (waiting.isEmpty()) {
        podsByNode.remove(node);
      }
    }
  }
}
