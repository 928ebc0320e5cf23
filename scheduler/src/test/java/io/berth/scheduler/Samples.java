package io.berth.scheduler;

import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.Tree;
import io.berth.codec.NodeReader;
import io.berth.codec.PodReader;
import io.berth.codec.Yaml;

/// Pods and nodes for these tests, as trees and as what scheduling reads of them.
final class Samples {

  private Samples() {}

  static Pod aPod(String name, String more) {
    return PodReader.read(podTree(name, more));
  }

  /// A pod that asks for one cpu; `more` are further lines of its spec, at no indentation.
  static Tree podTree(String name, String more) {
    return Yaml.read(
        """
        apiVersion: v1
        kind: Pod
        metadata: {namespace: default, name: %s, uid: %s, labels: {app: %s}}
        spec:
          schedulerName: default-scheduler
          containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]
        """
                .formatted(name, name, name)
            + more.indent(2));
  }

  static Node aNode(String name, String cpu) {
    return NodeReader.read(nodeTree(name, cpu));
  }

  static Tree nodeTree(String name, String cpu) {
    return Yaml.read(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s, labels: {kubernetes.io/hostname: %s}}
        spec: {}
        status:
          allocatable: {cpu: "%s", memory: 8Gi, pods: "110"}
          capacity: {cpu: "%s", memory: 8Gi, pods: "110"}
        """
            .formatted(name, name, cpu, cpu));
  }
}
