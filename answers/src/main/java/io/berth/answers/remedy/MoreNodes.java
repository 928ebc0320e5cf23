package io.berth.answers.remedy;

import io.berth.api.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The cluster may get one more node like one of each kind that it has.
final class MoreNodes {

  static final String HOSTNAME = "kubernetes.io/hostname";

  private static final int MAX_KINDS = 20;

  private MoreNodes() {}

  static List<Family> find(Question question) {
    var seen = new HashSet<List<?>>();
    var families = new ArrayList<Family>();
    for (var node : question.nodes().values()) {
      if (families.size() < MAX_KINDS && seen.add(kind(node))) {
        families.add(Family.of(List.of(new Remedy.AddNode(node.name()))));
      }
    }
    return families;
  }

  private static List<?> kind(Node node) {
    Map<String, String> labels = new TreeMap<>(node.labels());
    labels.values().removeIf(node.name()::equals);
    labels.remove(HOSTNAME);
    return List.of(labels, node.taints(), node.allocatable(), node.declaredFeatures());
  }
}
