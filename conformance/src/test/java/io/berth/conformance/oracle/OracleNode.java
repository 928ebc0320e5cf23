package io.berth.conformance.oracle;

import io.berth.api.Tree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A node as far as scheduling reads it.
record OracleNode(
    String name,
    Map<String, String> labels,
    boolean unschedulable,
    List<Taint> taints,
    Map<String, Long> allocatable,
    Map<String, Long> images) {

  record Taint(String key, String value, String effect) {

    boolean keepsAway() {
      return effect.equals("NoSchedule") || effect.equals("NoExecute");
    }
  }

  static OracleNode of(Tree node) {
    var images = new HashMap<String, Long>();
    for (var image : node.trees("status", "images")) {
      for (var name : image.list("names")) {
        images.putIfAbsent(String.valueOf(name), image.number(0, "sizeBytes"));
      }
    }
    return new OracleNode(
        node.textOrEmpty("metadata", "name"),
        node.texts("metadata", "labels"),
        node.flag("spec", "unschedulable"),
        node.trees("spec", "taints").stream().map(OracleNode::taint).toList(),
        Requests.amounts(Requests.list(node.treeOrEmpty("status", "allocatable"))),
        images);
  }

  private static Taint taint(Tree taint) {
    return new Taint(
        taint.textOrEmpty("key"), taint.textOrEmpty("value"), taint.textOrEmpty("effect"));
  }

  long allocatable(String resource) {
    return allocatable.getOrDefault(resource, 0L);
  }
}
