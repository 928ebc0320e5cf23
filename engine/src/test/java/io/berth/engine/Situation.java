package io.berth.engine;

import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A random cluster of which engines are built, whole or without some of its pods.
final class Situation {

  final RandomCluster random;
  final Map<String, Node> nodes = new LinkedHashMap<>();
  final Map<String, Pod> pods = new LinkedHashMap<>();
  final List<Namespace> namespaces = new ArrayList<>();

  Situation(long seed) {
    this.random = new RandomCluster(seed);
    for (int i = 0; i < 6; i++) {
      nodes.put("n" + i, random.node("n" + i));
    }
    for (var name : List.of("red", "blue", "grey")) {
      namespaces.add(random.namespace(name));
    }
    for (int i = 0; i < 16; i++) {
      var pod = random.running("p" + i);
      pods.put(pod.key(), pod);
    }
  }

  /// The cluster without some of its pods.
  Engine engine(Collection<String> gone) {
    var engine = new Engine(SchedulerConfiguration.DEFAULT, 1);
    fill(engine, gone);
    return engine;
  }

  void fill(Engine engine) {
    fill(engine, List.of());
  }

  private void fill(Engine engine, Collection<String> gone) {
    namespaces.forEach(engine::put);
    nodes.values().forEach(engine::put);
    pods.forEach((key, pod) -> {
      if (!gone.contains(key)) {
        engine.put(pod);
      }
    });
  }
}
