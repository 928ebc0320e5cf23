package io.berth.bench;

import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.NodeReader;
import io.berth.codec.ObjectReader;
import io.berth.codec.PodReader;
import io.berth.engine.Engine;
import java.util.List;

/// An engine filled with a workload's nodes and existing pods.
final class BenchCluster {

  final Engine engine;
  final int nodes;
  final int existing;

  BenchCluster(Workload workload, int nodes) {
    this.nodes = nodes;
    this.engine =
        workload.outside() ? OutsideRules.engine() : new Engine(SchedulerConfiguration.DEFAULT, 1);
    for (int i = 0; i < workload.namespaces(); i++) {
      engine.put(ObjectReader.readNamespace(namespace("sched-" + i)));
    }
    for (int i = 0; i < nodes; i++) {
      var node = node(i, workload.zones().get(i % workload.zones().size()));
      if (workload.outside()) {
        node.putAt(String.valueOf(i % 7), "metadata", "labels", OutsideRules.SPEED);
      }
      engine.put(NodeReader.read(node));
    }
    this.existing = workload.exclusive() ? nodes / 5 : nodes * workload.perNode();
    // The second namespace is where new pods come; the existing ones are in the others.
    int homes = Math.max(1, workload.namespaces() - 1);
    for (int i = 0; i < existing; i++) {
      var tree = workload.existing().get(i % workload.existing().size());
      int home = i % homes;
      var pod = named(tree, "sched-" + (home == 0 ? 0 : home + 1), "old-" + i);
      pod.child("spec").put("nodeName", nodeName(workload.exclusive() ? i * 5 : i % nodes));
      engine.put(PodReader.read(pod));
    }
  }

  /// Pods that come, each read from its own document as a watch would deliver it.
  static Pod[] pending(List<Tree> templates, int count) {
    var pods = new Pod[count];
    for (int i = 0; i < count; i++) {
      pods[i] = PodReader.read(named(templates.get(i % templates.size()), "sched-1", "new-" + i));
    }
    return pods;
  }

  static Tree named(Tree template, String namespace, String name) {
    var pod = template.copy();
    pod.child("metadata").put("namespace", namespace).put("name", name);
    return pod;
  }

  static String nodeName(int i) {
    return "node-%05d".formatted(i);
  }

  static Tree node(int i, String zone) {
    return Tree.of(
        "metadata",
        Tree.of(
            "name",
            nodeName(i),
            "labels",
            Tree.of(Templates.HOSTNAME, nodeName(i), Templates.ZONE, zone)),
        "status",
        Tree.of("allocatable", Tree.of("cpu", "4", "memory", "32Gi", "pods", "110")));
  }

  private static Tree namespace(String name) {
    return Tree.of("metadata", Tree.of("name", name, "labels", Tree.of("team", "devops")));
  }
}
